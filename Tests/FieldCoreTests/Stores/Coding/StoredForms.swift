import FieldCore

/// The stored forms of records of one batch.
struct StoredForms {
  var forms: [[UInt8]] = []
  /// The strings to which the forms refer.
  var strings: [String]
  /// The size of the batch.
  var byteCount: Int

  init<Record: StoredRecord>(_ records: [Record]) throws {
    var writer = RecordWriter()
    var ends = [0]
    for record in records {
      try record.write(to: &writer)
      ends.append(writer.count)
    }
    let (bytes, place) = writer.finish()
    var table = RecordReader(bytes, place..<bytes.count)
    strings = try (0..<table.uint()).map { _ in try table.string() }
    forms = zip(ends, ends.dropFirst()).map { Array(bytes[$0..<$1]) }
    byteCount = bytes.count
  }

  /// The texts of shapes among the strings.
  var shapes: [String] { strings.filter { (try? RecordShape($0)) != nil } }

  /// Returns a reader of a record's form.
  func reader(_ number: Int) -> RecordReader { reader(of: forms[number]) }

  /// Returns a reader of other bytes with the strings of the batch.
  func reader(of form: [UInt8]) -> RecordReader {
    RecordReader(form, form.indices, strings: strings)
  }

  /// Decodes a record as a type and expects nothing after it.
  func decode<Record: StoredRecord>(_ number: Int, as type: Record.Type) throws -> Record {
    var reader = reader(number)
    let record = try Record(reading: &reader)
    guard reader.remainingCount == 0 else { throw reader.damaged("There are more bytes") }
    return record
  }
}
