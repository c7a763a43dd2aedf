extension FieldError {
  /// The kind of an error: an open set of dotted names, so that new ones break nobody.
  ///
  /// The part before the first dot is the namespace: `transport`, `http`, `rows`, `store`, `refresh`,
  /// `input`, or a kit's own.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The dotted name, such as `transport.timeout`.
    public var rawValue: String

    /// Makes a code from its dotted name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The dotted name.
    public var description: String { rawValue }
  }
}

extension FieldError.Code {
  // MARK: transport: no answer came, or not the whole of it

  /// The device is offline, or the host cannot be reached at all.
  public static var offline: Self { Self(rawValue: "transport.offline") }
  /// No whole answer came within the request's timeout.
  public static var timeout: Self { Self(rawValue: "transport.timeout") }
  /// The connection was lost before the whole answer came.
  public static var connectionLost: Self { Self(rawValue: "transport.connectionLost") }
  /// The answer ended before its announced length.
  public static var bodyCut: Self { Self(rawValue: "transport.bodyCut") }
  /// The answer was larger than the request allowed.
  public static var responseTooLarge: Self { Self(rawValue: "transport.responseTooLarge") }
  /// The transport failed in another way; `underlying` says how.
  public static var transport: Self { Self(rawValue: "transport.failed") }

  // MARK: http: an answer came, and it is not the wanted one

  /// The server answered with a status that is no success; `response` has it.
  public static var status: Self { Self(rawValue: "http.status") }
  /// The server answered 404 or 410: the resource is not there, or has moved away.
  public static var notFound: Self { Self(rawValue: "http.notFound") }
  /// The server asks to slow down (429).
  public static var tooManyRequests: Self { Self(rawValue: "http.tooManyRequests") }

  // MARK: rows: the bytes are not what they should be

  /// The body is a web page or an XML document where rows were expected.
  public static var notData: Self { Self(rawValue: "rows.notData") }
  /// The body is empty.
  public static var emptyBody: Self { Self(rawValue: "rows.empty") }
  /// The body breaks the rules of its format.
  public static var malformed: Self { Self(rawValue: "rows.malformed") }
  /// The body ends in the middle.
  public static var cut: Self { Self(rawValue: "rows.cut") }
  /// The body is not UTF-8 text.
  public static var encoding: Self { Self(rawValue: "rows.encoding") }
  /// The format of the body is none that can be read.
  public static var unknownFormat: Self { Self(rawValue: "rows.unknownFormat") }
  /// A column that is needed is not there: the source's schema has changed.
  public static var schema: Self { Self(rawValue: "rows.schema") }

  // MARK: store

  /// The store has moved on since the revision that a commit expected.
  public static var conflict: Self { Self(rawValue: "store.conflict") }
  /// The file is not a store, or is damaged beyond what can be cut off and set aside.
  public static var damaged: Self { Self(rawValue: "store.damaged") }
  /// The store was written by a newer version of the format or of the record.
  public static var newerFormat: Self { Self(rawValue: "store.newerFormat") }
  /// Reading or writing failed; `underlying` says how.
  public static var io: Self { Self(rawValue: "store.io") }
  /// There is no room left on the device.
  public static var diskFull: Self { Self(rawValue: "store.diskFull") }
  /// The store was opened for reading only.
  public static var readOnly: Self { Self(rawValue: "store.readOnly") }
  /// The store has been closed.
  public static var closed: Self { Self(rawValue: "store.closed") }
  /// The store takes no commits until it is reopened, since the device failed to confirm a write.
  public static var needsReopening: Self { Self(rawValue: "store.needsReopening") }

  // MARK: refresh and input

  /// A snapshot was refused, since it is not complete or loses too much; the store is untouched.
  public static var snapshotRefused: Self { Self(rawValue: "refresh.snapshotRefused") }
  /// A value that the caller gave cannot be used; `problems` says which and why.
  public static var invalidInput: Self { Self(rawValue: "input.invalid") }
}
