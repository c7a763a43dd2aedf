public import FieldCore

/// The record that ``RecordStoreConformance`` keeps in the stores that it proves.
public struct ConformanceRecord: StoredRecord, Hashable {
  /// What tells one record from another; any text, the empty one too.
  public var id: String
  /// Any text.
  public var text: String
  /// Any number.
  public var number: Int

  /// Makes a record.
  public init(id: String, text: String = "", number: Int = 0) {
    self.id = id
    self.text = text
    self.number = number
  }
}
