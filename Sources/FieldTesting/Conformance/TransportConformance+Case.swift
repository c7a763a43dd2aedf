extension TransportConformance {
  /// One thing that a transport must do.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Makes a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Method, path, query and fields of a GET arrive as they are, escapes untouched.
    public static var get: Self { Self(rawValue: "get") }
    /// The body of a POST arrives, from memory and from a file, empty too.
    public static var post: Self { Self(rawValue: "post") }
    /// HEAD gives the fields and no body, whatever length is announced.
    public static var head: Self { Self(rawValue: "head") }
    /// Statuses that are no success are answers, with their bodies.
    public static var status: Self { Self(rawValue: "status") }
    /// 401 with a Basic challenge is an answer, and comes at once.
    public static var unauthorized: Self { Self(rawValue: "unauthorized") }
    /// Fields of the answer are found without regard to case, and several of one name are kept.
    public static var fieldNames: Self { Self(rawValue: "fieldNames") }
    /// 204 and a body of no bytes are answers.
    public static var emptyBody: Self { Self(rawValue: "emptyBody") }
    /// A megabyte arrives byte for byte.
    public static var largeBody: Self { Self(rawValue: "largeBody") }
    /// A body in chunks arrives byte for byte.
    public static var chunkedBody: Self { Self(rawValue: "chunkedBody") }
    /// A gzipped body is given plain.
    public static var gzip: Self { Self(rawValue: "gzip") }
    /// A body that ends before its announced length is an error with a `transport.…` code.
    public static var cutBody: Self { Self(rawValue: "cutBody") }
    /// Redirects of GET are followed, and the answer tells the last address.
    public static var redirect: Self { Self(rawValue: "redirect") }
    /// 307 and 308 keep method and body of a POST; 303 makes it a GET.
    public static var redirectedPost: Self { Self(rawValue: "redirectedPost") }
    /// Redirects without an end are an error.
    public static var redirectLoop: Self { Self(rawValue: "redirectLoop") }
    /// Credentials go along with a redirect on the same host, and never to another; a request that
    /// follows no redirects gets the redirect itself.
    public static var credentials: Self { Self(rawValue: "credentials") }
    /// An answer that does not come in time is `FieldError.Code.timeout`, fractions of a second
    /// respected.
    public static var timeout: Self { Self(rawValue: "timeout") }
    /// A body over the limit is `FieldError.Code.responseTooLarge`, decoded bytes counted; one
    /// just within it is an answer.
    public static var responseLimit: Self { Self(rawValue: "responseLimit") }
    /// A body goes to a file when it should, and replaces the one that is there; that of an answer
    /// that is no success may come in memory.
    public static var fileDestination: Self { Self(rawValue: "fileDestination") }
    /// Nothing is left at the file's address when the exchange fails.
    public static var fileOfFailure: Self { Self(rawValue: "fileOfFailure") }
    /// A cancelled exchange throws `CancellationError`, soon, also when it never began.
    public static var cancellation: Self { Self(rawValue: "cancellation") }
    /// Many exchanges at once each get their own answer.
    public static var parallel: Self { Self(rawValue: "parallel") }
  }
}
