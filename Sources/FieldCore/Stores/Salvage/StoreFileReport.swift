public import FieldFoundation

/// A report of what a store file or a journal contains, and of the damage to it.
public struct StoreFileReport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A batch, an entry, or a damaged range of the file, after its header.
  public struct Part: Sendable, Hashable, Codable {
    /// The offset of the part in the file.
    public var offset: Int
    /// The number of bytes.
    public var byteCount: Int
    /// The revision of the batch; `nil` for an entry of a journal and for damage.
    public var revision: Revision?
    /// The number of records that the batch inserts or replaces; `nil` for damage.
    public var recordCount: Int?
    /// A Boolean value that indicates whether the part can't be read.
    public var isDamaged = false
  }

  /// A Boolean value that indicates whether the file is a journal.
  public var isJournal: Bool
  /// The name of the records or of the journal's entries.
  public var name: String
  /// The size of the file, in bytes.
  public var byteCount: Int
  /// A Boolean value that indicates whether a bit of the header is flipped.
  public var isHeaderDamaged = false
  /// The parts of the file, in order.
  public var parts: [Part] = []
  /// The files next to it that contain what was cut off.
  public var setAside: [URL] = []
  /// The damaged originals next to it, whose batches were salvaged.
  public var salvaged: [URL] = []

  /// A Boolean value that indicates whether the file is intact and nothing was set aside.
  public var isIntact: Bool {
    !isHeaderDamaged && setAside.isEmpty && !parts.contains(where: \.isDamaged)
  }

  /// A summary of the parts, on one line.
  public var description: String {
    let damaged = parts.count(where: \.isDamaged)
    return "\(name): \(parts.count - damaged) \(isJournal ? "entries" : "batches"), "
      + "\(damaged) damaged parts, \(setAside.count) set aside"
  }
}
