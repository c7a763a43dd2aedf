package import FieldCore

/// The stored form of records as text, for tests that pin it.
package enum StoredBytes {
  /// The bytes of a record, and then its interned texts: letters as they are, and other bytes as `~` and
  /// two hexadecimal digits.
  package static func text(of record: some StoredRecord) throws -> String {
    var writer = RecordWriter()
    try record.write(to: &writer)
    return writer.finish().bytes.reduce(into: "") { text, byte in
      let isPlain = (0x20...0x7D).contains(byte) && byte != UInt8(ascii: "\"")
      let digits = String(byte, radix: 16)
      text += isPlain ? String(UnicodeScalar(byte)) : byte < 16 ? "~0\(digits)" : "~\(digits)"
    }
  }

  /// The forms of records, each as written and with `rounds` times one byte changed or the end cut off, that
  /// `id(checking:)` judges differently from `init(reading:)`.
  package static func misjudged<Record: StoredRecord>(
    _ records: [Record], rounds: Int, seed: UInt64
  ) throws -> [[UInt8]] {
    var chance = SeededGenerator(seed: seed)
    var misjudged: [[UInt8]] = []
    for record in records {
      var writer = RecordWriter()
      try record.write(to: &writer)
      let (bytes, place) = writer.finish()
      var table = RecordReader(bytes, place..<bytes.count)
      let strings = try (0..<table.uint()).map { _ in try table.string() }
      for round in 0...rounds {
        var form = Array(bytes[..<place])
        if round > 0, Int.random(in: 0..<8, using: &chance) == 0 {
          form.removeLast(.random(in: 1...form.count, using: &chance))
        } else if round > 0, let changed = form.indices.randomElement(using: &chance) {
          form[changed] = .random(in: .min ... .max, using: &chance)
        }
        var checking = RecordReader(form, form.indices, strings: strings)
        var reading = checking
        let read = try? Record(reading: &reading)
        let checked = try? Record.id(checking: &checking)
        let isSame = read?.id == checked && (read == nil || reading.position == checking.position)
        if !isSame || (round == 0 && read != record) { misjudged.append(form) }
      }
    }
    return misjudged
  }
}
