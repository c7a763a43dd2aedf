public import FieldFoundation

/// An asset: its bytes, its format, and where and when they were found.
public struct Asset: Sendable, Codable {
  /// The bytes as the source sent them.
  public var data: Data
  /// The format of the bytes, or `nil` if it isn't recognized.
  public var format: AssetFormat?
  /// The `Content-Type` that the server sent, which may be wrong, or `nil` for a local file.
  public var contentType: String?
  /// The requested local file, or `nil` for an asset from the cache.
  public var file: URL?
  /// Where the bytes were found.
  public var origin: Origin
  /// The time at which the source sent the bytes, or `nil` for a local file.
  public var fetchedAt: Date?
  /// The time at which the source last confirmed the bytes, or `nil` for a local file.
  public var confirmedAt: Date?
  /// The error of the last attempt to update an old asset, or `nil` if the asset isn't old.
  ///
  /// The code ``FieldError/Code/notFound`` means that the source no longer has the asset.
  public var refreshFailure: FieldError?

  /// Creates an asset, for previews and tests.
  public init(
    data: Data, format: AssetFormat? = nil, contentType: String? = nil, file: URL? = nil,
    origin: Origin = .memory, fetchedAt: Date? = nil, confirmedAt: Date? = nil,
    refreshFailure: FieldError? = nil
  ) {
    self.data = data
    self.format = format
    self.contentType = contentType
    self.file = file
    self.origin = origin
    self.fetchedAt = fetchedAt
    self.confirmedAt = confirmedAt
    self.refreshFailure = refreshFailure
  }

  /// Returns the time since the source last confirmed the bytes, or `nil` for a local file.
  ///
  /// The age is zero if the confirmation lies in the future, which happens after a clock was set
  /// back.
  public func age(at now: Date) -> Duration? {
    confirmedAt.map { Duration(limiting: max(now.timeIntervalSince($0), 0)) }
  }

  /// A place where the bytes of an asset were found.
  public struct Origin: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The name of the place.
    public var rawValue: String
    /// Creates a place with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the place.
    public var description: String { rawValue }

    /// The memory of the cache.
    public static var memory: Self { Self(rawValue: "memory") }
    /// A file of the cache.
    public static var disk: Self { Self(rawValue: "disk") }
    /// The source.
    public static var network: Self { Self(rawValue: "network") }
    /// The requested local file.
    public static var file: Self { Self(rawValue: "file") }
  }
}

extension Asset {
  /// Creates an asset that a kit stores itself, such as a user's photo.
  package init(local data: Data, format: AssetFormat?, file: URL?) {
    self.init(data: data, format: format, file: file, origin: file == nil ? .memory : .file)
  }
}

/// An asset in the cache.
struct KeptAsset: Sendable {
  var data: Data
  var format: AssetFormat?
  var contentType: String?
  var fetchedAt: Date
  var confirmedAt: Date
  var validators: HTTPValidators?
  /// The SHA-256 of the URL that the bytes and their validators came from.
  ///
  /// Validators are only sent to that URL. The URL itself isn't kept because it may contain a
  /// token.
  var address: [UInt8]

  /// The memory that the asset takes, in bytes: its data and a fixed overhead.
  var cost: Int { data.count + 512 }

  func asset(from origin: Asset.Origin, failure: FieldError? = nil) -> Asset {
    Asset(
      data: data, format: format, contentType: contentType, origin: origin,
      fetchedAt: fetchedAt, confirmedAt: confirmedAt, refreshFailure: failure)
  }
}
