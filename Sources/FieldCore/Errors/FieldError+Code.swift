extension FieldError {
  /// A code that identifies the kind of an error.
  ///
  /// Codes are an open set of dotted names, so new codes don't break existing programs. The part
  /// before the first dot is the namespace: `transport`, `http`, `rows`, `store`, `refresh`,
  /// `input`, or the name of a kit.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The dotted name, such as `transport.timeout`.
    public let rawValue: String
    /// The table that contains the code's guidance; `nil` for a code of `FieldCore`.
    private let table: (@Sendable () -> [Self: FieldError.Guidance])?

    /// Creates a code from its dotted name.
    public init(rawValue: String) {
      self.rawValue = rawValue
      table = nil
    }

    /// Creates a code whose guidance is in your own table.
    ///
    /// ```swift
    /// extension FieldError.Code {
    ///   static var treeFelled: Self { Self(rawValue: "trees.felled") { treeGuidance } }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - rawValue: The dotted name.
    ///   - table: A closure that returns the guidance for your codes. It is called when the guidance
    ///     is needed.
    public init(
      rawValue: String, guidance table: @escaping @Sendable () -> [Self: FieldError.Guidance]
    ) {
      self.rawValue = rawValue
      self.table = table
    }

    /// The group, the localized strings, and whether retrying may help.
    ///
    /// A code without any, such as one of a kit that the program doesn't contain, has general
    /// strings, and isn't retryable.
    public var guidance: FieldError.Guidance {
      table?()[self] ?? FieldError.Guidance.core[self] ?? .general(for: self)
    }

    /// The dotted name.
    public var description: String { rawValue }

    /// Returns whether two codes have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }
}

extension FieldError.Code {
  // MARK: transport: no response, or an incomplete one

  /// The device is offline, or the host can't be reached.
  public static var offline: Self { Self(rawValue: "transport.offline") }
  /// The response wasn't complete within the request's timeout.
  public static var timeout: Self { Self(rawValue: "transport.timeout") }
  /// The connection was lost before the response was complete.
  public static var connectionLost: Self { Self(rawValue: "transport.connectionLost") }
  /// The response ended before its announced length.
  public static var bodyCut: Self { Self(rawValue: "transport.bodyCut") }
  /// The response was larger than the request allowed.
  public static var responseTooLarge: Self { Self(rawValue: "transport.responseTooLarge") }
  /// The transport failed in another way; see `underlying`.
  public static var transport: Self { Self(rawValue: "transport.failed") }

  // MARK: http: a response that isn't a success

  /// The server responded with a status that isn't a success; see `response`.
  public static var status: Self { Self(rawValue: "http.status") }
  /// The server responded with 404 or 410: the resource doesn't exist or has moved.
  public static var notFound: Self { Self(rawValue: "http.notFound") }
  /// The server responded with 429: there were too many requests.
  public static var tooManyRequests: Self { Self(rawValue: "http.tooManyRequests") }

  // MARK: rows: the bytes aren't the expected data

  /// The body is an HTML page, an XML document, or a message instead of rows.
  public static var notData: Self { Self(rawValue: "rows.notData") }
  /// The body is empty.
  public static var emptyBody: Self { Self(rawValue: "rows.empty") }
  /// The body violates the rules of its format.
  public static var malformed: Self { Self(rawValue: "rows.malformed") }
  /// The body is truncated.
  public static var cut: Self { Self(rawValue: "rows.cut") }
  /// The body isn't UTF-8 text.
  public static var encoding: Self { Self(rawValue: "rows.encoding") }
  /// The format of the body isn't supported.
  public static var unknownFormat: Self { Self(rawValue: "rows.unknownFormat") }
  /// A required column is missing: the source's schema has changed.
  public static var schema: Self { Self(rawValue: "rows.schema") }

  // MARK: store

  /// The store has changed since the revision that a commit expected.
  public static var conflict: Self { Self(rawValue: "store.conflict") }
  /// The file isn't a store, or is damaged too badly to cut off and set aside the damaged part.
  public static var damaged: Self { Self(rawValue: "store.damaged") }
  /// A newer version of the format or of the record wrote the store.
  public static var newerFormat: Self { Self(rawValue: "store.newerFormat") }
  /// Reading or writing failed; see `underlying`.
  public static var io: Self { Self(rawValue: "store.io") }
  /// The device is full.
  public static var diskFull: Self { Self(rawValue: "store.diskFull") }
  /// The store's path names a pipe, a device, or a socket, which is left alone.
  public static var notAFile: Self { Self(rawValue: "store.notAFile") }
  /// The device is locked, and the file's protection class makes it inaccessible; it is unchanged.
  public static var locked: Self { Self(rawValue: "store.locked") }
  /// The file is on a network volume that the storage doesn't allow, or in an iCloud container.
  public static var remoteVolume: Self { Self(rawValue: "store.remoteVolume") }
  /// The store was opened read-only, or its volume is read-only.
  public static var readOnly: Self { Self(rawValue: "store.readOnly") }
  /// The store has been closed.
  public static var closed: Self { Self(rawValue: "store.closed") }
  /// The device failed to confirm a write, so the store accepts no commits until it is reopened; or a record couldn't be
  /// decoded when it was used, so the store can't be read either.
  public static var needsReopening: Self { Self(rawValue: "store.needsReopening") }

  // MARK: refresh and input

  /// A snapshot was refused because it is incomplete or removes too many records; the store is
  /// unchanged.
  public static var snapshotRefused: Self { Self(rawValue: "refresh.snapshotRefused") }
  /// An argument can't be used; `problems` lists the reasons.
  public static var invalidInput: Self { Self(rawValue: "input.invalid") }
}
