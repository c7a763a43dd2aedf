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
