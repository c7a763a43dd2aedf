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
}
