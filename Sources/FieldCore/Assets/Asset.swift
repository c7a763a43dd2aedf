public import FieldFoundation

/// An asset, with its bytes and what is known about them.
public struct Asset: Sendable, Codable {
  /// The bytes, as the source gave them.
  public var data: Data
  /// What the bytes are; nil when that cannot be told.
  public var format: AssetFormat?
  /// The `Content-Type` that the server gave, which need not be true; nil for a local file.
  public var contentType: String?
  /// The file of a request for a local file; nil for what the cache keeps, whose files are its own.
  public var file: URL?
  /// Where the bytes were found.
  public var origin: Origin
  /// When the bytes came from the source; nil for a local file.
  public var fetchedAt: Date?
  /// When the source last said that these are its bytes; nil for a local file.
  public var confirmedAt: Date?
  /// Why the asset is older than it should be: the last attempt to ask the source has failed.
  ///
  /// Nil when the asset is young enough. A code of ``FieldError/Code/notFound`` says that the source
  /// has it no more.
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

  /// How long ago the source last confirmed the bytes; nil for a local file.
  ///
  /// Zero when that lies in the future, as it does after a clock was set back.
  public func age(at now: Date) -> Duration? {
    confirmedAt.map { .seconds(max(now.timeIntervalSince($0), 0)) }
  }

  /// Where the bytes of an asset were found.
  public struct Origin: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The name of the place.
    public var rawValue: String
    /// Makes a place from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the place.
    public var description: String { rawValue }

    /// In the memory of the cache.
    public static var memory: Self { Self(rawValue: "memory") }
    /// In a file of the cache.
    public static var disk: Self { Self(rawValue: "disk") }
    /// The source sent them.
    public static var network: Self { Self(rawValue: "network") }
    /// In the local file that was asked for.
    public static var file: Self { Self(rawValue: "file") }
  }
}

extension Asset {
  /// An asset that a kit keeps itself, such as a photo of the user's.
  package init(local data: Data, format: AssetFormat?, file: URL?) {
    self.init(data: data, format: format, file: file, origin: file == nil ? .memory : .file)
  }
}

/// An asset as the cache keeps it.
struct KeptAsset: Sendable {
  var data: Data
  var format: AssetFormat?
  var contentType: String?
  var fetchedAt: Date
  var confirmedAt: Date
  var validators: HTTPValidators?
  /// The SHA-256 of the address that gave the bytes and their validators.
  ///
  /// Validators go to that address alone; of the address itself, which may carry a token, nothing is
  /// kept.
  var address: [UInt8]

  /// What an asset costs in memory: its bytes, and something for what is around them.
  var cost: Int { data.count + 512 }

  func asset(from origin: Asset.Origin, failure: FieldError? = nil) -> Asset {
    Asset(
      data: data, format: format, contentType: contentType, file: nil, origin: origin,
      fetchedAt: fetchedAt, confirmedAt: confirmedAt, refreshFailure: failure)
  }
}
