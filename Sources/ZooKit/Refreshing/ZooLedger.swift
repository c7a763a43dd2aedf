internal import FieldCore
internal import FieldFoundation

/// The checkpoint of the zoo's store, which has a part for each table.
struct ZooLedger: Sendable {
  /// What is noted of a table.
  struct Entry: Codable, Sendable, Hashable {
    var lastSuccess: Date?
    var fingerprint: String?
    var importDate: Date?
  }

  private(set) var checkpoint: Checkpoint

  init(_ checkpoint: Checkpoint?) { self.checkpoint = checkpoint ?? Checkpoint() }

  private static func cursor(_ table: ZooTable) -> String { "zoo.\(table.rawValue)" }

  /// What is noted of a table; nothing when it was never read, or noted by a version that wrote another
  /// form, which only means that the table is due.
  subscript(table: ZooTable) -> Entry {
    guard let text = checkpoint.cursors[Self.cursor(table)] else { return Entry() }
    return (try? JSONDecoder().decode(Entry.self, from: Data(text.utf8))) ?? Entry()
  }

  /// Notes a table, and how old the store is as a whole: as old as its main table.
  mutating func note(_ entry: Entry, of table: ZooTable, isMain: Bool) throws {
    let text = String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
    checkpoint.cursors[Self.cursor(table)] = text
    if isMain { checkpoint.lastSuccess = entry.lastSuccess }
  }
}
