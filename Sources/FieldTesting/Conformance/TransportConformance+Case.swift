extension TransportConformance {
  /// A requirement for transports.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The method, path, query, and fields of a GET arrive unchanged, including escapes.
    public static var get: Self { Self(rawValue: "get") }
    /// The body of a POST arrives, from memory or from a file, even if it is empty.
    public static var post: Self { Self(rawValue: "post") }
    /// The response to HEAD has its fields and no body, whatever its announced length.
    public static var head: Self { Self(rawValue: "head") }
    /// Responses with any status are returned with their bodies.
    public static var status: Self { Self(rawValue: "status") }
    /// A response of 401 with a Basic challenge is returned immediately.
    public static var unauthorized: Self { Self(rawValue: "unauthorized") }
    /// Field names of the response are case-insensitive, and several fields of one name are kept.
    public static var fieldNames: Self { Self(rawValue: "fieldNames") }
    /// A response of 204 and one with an empty body are returned.
    public static var emptyBody: Self { Self(rawValue: "emptyBody") }
    /// A body of one megabyte arrives byte for byte.
    public static var largeBody: Self { Self(rawValue: "largeBody") }
    /// A body in chunks arrives byte for byte.
    public static var chunkedBody: Self { Self(rawValue: "chunkedBody") }
    /// A gzipped body is returned uncompressed.
    public static var gzip: Self { Self(rawValue: "gzip") }
    /// If a body ends before its announced length, an error with a `transport.…` code is thrown.
    public static var cutBody: Self { Self(rawValue: "cutBody") }
    /// Redirects of GET are followed, and the response has the final URL.
    public static var redirect: Self { Self(rawValue: "redirect") }
    /// Redirects with 307 and 308 keep the method and the body of a POST, and 303 makes it a GET.
    public static var redirectedPost: Self { Self(rawValue: "redirectedPost") }
    /// Endless redirects result in an error.
    public static var redirectLoop: Self { Self(rawValue: "redirectLoop") }
    /// Credentials are sent to redirects on the same host, but never to another host.
    ///
    /// A request that doesn't follow redirects receives the redirect itself.
    public static var credentials: Self { Self(rawValue: "credentials") }
    /// If the response doesn't arrive in time, to fractions of a second, `FieldError.Code.timeout`
    /// is thrown.
    public static var timeout: Self { Self(rawValue: "timeout") }
    /// If the decoded body is larger than the limit, `FieldError.Code.responseTooLarge` is thrown;
    /// a body of exactly the limit is returned.
    public static var responseLimit: Self { Self(rawValue: "responseLimit") }
    /// A body is written to the requested file and replaces an existing one.
    ///
    /// The body of a response that isn't a success may be in memory.
    public static var fileDestination: Self { Self(rawValue: "fileDestination") }
    /// A failed request leaves no file at its destination.
    public static var fileOfFailure: Self { Self(rawValue: "fileOfFailure") }
    /// A canceled request soon throws `CancellationError`, even if it never began.
    public static var cancellation: Self { Self(rawValue: "cancellation") }
    /// Many concurrent requests each receive their own response.
    public static var parallel: Self { Self(rawValue: "parallel") }
    /// A response that isn't HTTP or ends early is an error, however it ends.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Unusual but complete responses are returned.
    public static var odd: Self { Self(rawValue: "odd") }
    /// Redirects to invalid URLs result in errors and don't end the process.
    public static var strangeRedirect: Self { Self(rawValue: "strangeRedirect") }
    /// A redirect with an endless body is followed, or ends with the timeout or a cancellation.
    ///
    /// Meanwhile, other requests receive their responses.
    public static var unendingRedirect: Self { Self(rawValue: "unendingRedirect") }
    /// A gzipped body of 1 MB that is 1 GiB uncompressed stops at the limit of the request.
    ///
    /// On Linux, the case also checks the memory that the process uses.
    public static var compressedBomb: Self { Self(rawValue: "compressedBomb") }
    /// A response that announces a length of nine exabytes results in an error.
    public static var hugeLength: Self { Self(rawValue: "hugeLength") }
    /// Half of a gzipped body is an error, even if no length shows that it is only a half.
    public static var cutCompression: Self { Self(rawValue: "cutCompression") }
  }
}
