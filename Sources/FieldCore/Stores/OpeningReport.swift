public import FieldFoundation

/// What opening a store file found.
public struct OpeningReport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The end of a store file that could not be read.
  public struct Cut: Sendable, Hashable, Codable {
    /// The store file.
    public var file: URL
    /// Where the part started in it, in bytes.
    public var offset: Int
    /// How many bytes it had.
    public var byteCount: Int
    /// What was wrong with it.
    public var reason: String
    /// The revisions that were in it, as far as that can be told.
    public var revisions: ClosedRange<Revision>?
    /// The file beside the store that now holds these bytes; nil when they were left where they are,
    /// since the store was opened for reading only, and when there were none.
    public var savedAs: URL?

    /// Makes a cut.
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

  /// The revision of the content.
  public var revision: Revision
  /// How many records there are.
  public var recordCount: Int
  /// How many bytes of the file are in order.
  public var byteCount: Int
  /// What could not be read; empty when all was in order.
  ///
  /// A process that was killed during a commit leaves one, of a commit that never returned.
  public var cuts: [Cut]
  /// The files of interrupted work that were removed.
  public var removedLeftovers: [URL]
  /// The files beside the store that hold what was cut off, at this opening or at an earlier one.
  ///
  /// As long as they are there, photos and other blobs are kept that only the records in them may refer
  /// to. Remove the files if you don't need them.
  public var setAside: [URL]

  /// Makes a report, for a store or a repository of an app's own.
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

  /// Whether all was in order.
  public var isClean: Bool { cuts.isEmpty }

  /// A Boolean value that indicates whether there may be records in parts that were not read: parts that
  /// were set aside, or damage that only a writer will set aside.
  package var hasUnreadParts: Bool {
    !setAside.isEmpty || cuts.contains { $0.savedAs == nil && $0.byteCount > 0 }
  }

  /// The numbers of records and cuts.
  public var description: String { "\(recordCount) records, \(cuts.count) cuts" }
}
