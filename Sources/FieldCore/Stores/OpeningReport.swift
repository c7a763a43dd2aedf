public import FieldFoundation

/// The result of opening a store file.
public struct OpeningReport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A part of a store file that couldn't be read.
  public struct Cut: Sendable, Hashable, Codable {
    /// The store file.
    public var file: URL
    /// The position of the part in the file, in bytes.
    public var offset: Int
    /// The size of the part, in bytes.
    public var byteCount: Int
    /// A description of the damage.
    public var reason: String
    /// The revisions that the part contained, if known.
    public var revisions: ClosedRange<Revision>?
    /// The file next to the store that now contains these bytes.
    ///
    /// It is `nil` if the store was opened read-only and the bytes stayed in place, or if there
    /// were none.
    public var savedAs: URL?

    /// Creates a description of an unreadable part.
    public init(
      file: URL, offset: Int, byteCount: Int, reason: String,
      revisions: ClosedRange<Revision>? = nil, savedAs: URL? = nil
    ) {
      self.file = file
      self.offset = offset
      self.byteCount = byteCount
      self.reason = reason
      self.revisions = revisions
      self.savedAs = savedAs
    }
  }

  /// The revision of the store's content.
  public var revision: Revision
  /// The number of records.
  public var recordCount: Int
  /// The size of the file's intact part, in bytes.
  public var byteCount: Int
  /// The parts that couldn't be read; empty if the file is intact.
  ///
  /// A process that was killed during a commit leaves one, which belongs to a commit that never
  /// returned.
  public var cuts: [Cut]
  /// The leftover files of interrupted operations that were removed.
  public var removedLeftovers: [URL]
  /// The files next to the store that contain damaged parts, from this or an earlier opening.
  ///
  /// While these files exist, photos and other blobs to which only their records may refer are
  /// kept. Remove the files if you don't need them.
  public var setAside: [URL]
  /// The damaged originals of a store whose batches were salvaged.
  ///
  /// While these files exist, the store's history has gaps: batches between the salvaged ones are lost.
  public var salvaged: [URL] = []

  /// Creates a report, for a custom store or repository.
  public init(
    revision: Revision = .zero, recordCount: Int, byteCount: Int = 0, cuts: [Cut] = [],
    removedLeftovers: [URL] = [], setAside: [URL] = []
  ) {
    self.revision = revision
    self.recordCount = recordCount
    self.byteCount = byteCount
    self.cuts = cuts
    self.removedLeftovers = removedLeftovers
    self.setAside = setAside
  }

  private enum CodingKeys: String, CodingKey {
    case revision, recordCount, byteCount, cuts, removedLeftovers, setAside, salvaged
  }

  /// Creates a report from its encoded form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      revision: try container.decode(Revision.self, forKey: .revision),
      recordCount: try container.decode(Int.self, forKey: .recordCount),
      byteCount: try container.decode(Int.self, forKey: .byteCount),
      cuts: try container.decode([Cut].self, forKey: .cuts),
      removedLeftovers: try container.decode([URL].self, forKey: .removedLeftovers),
      setAside: try container.decode([URL].self, forKey: .setAside))
    salvaged = try container.decodeIfPresent([URL].self, forKey: .salvaged) ?? []
  }

  /// Encodes the report.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(revision, forKey: .revision)
    try container.encode(recordCount, forKey: .recordCount)
    try container.encode(byteCount, forKey: .byteCount)
    try container.encode(cuts, forKey: .cuts)
    try container.encode(removedLeftovers, forKey: .removedLeftovers)
    try container.encode(setAside, forKey: .setAside)
    if !salvaged.isEmpty { try container.encode(salvaged, forKey: .salvaged) }
  }

  /// A Boolean value that indicates whether the file was intact.
  public var isClean: Bool { cuts.isEmpty }

  /// A Boolean value that indicates whether records may exist in unread parts.
  ///
  /// These are parts that were set aside, and damage that only a writer will set aside.
  package var hasUnreadParts: Bool {
    !setAside.isEmpty || cuts.contains { $0.savedAs == nil && $0.byteCount > 0 }
  }

  /// The numbers of records and cuts.
  public var description: String { "\(recordCount) records, \(cuts.count) cuts" }
}
