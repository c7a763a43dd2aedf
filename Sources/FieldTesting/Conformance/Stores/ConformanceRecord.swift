public import FieldCore

/// The record type of ``RecordStoreConformance``.
public struct ConformanceRecord: StoredRecord, Hashable {
  /// The ID, which may be any text, even an empty one.
  public var id: String
  /// A text.
  public var text: String
  /// A number.
  public var number: Int

  /// Creates a record.
  public init(id: String, text: String = "", number: Int = 0) {
    self.id = id
    self.text = text
    self.number = number
  }
}
