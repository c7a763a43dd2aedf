internal import FieldCore

/// The bytes of a table, whatever their encoding and form.
enum ZooBody {
  /// Reads a body into a reader, as UTF-8 or else as Big5, which the portal's older CSV files are in.
  static func read(_ bytes: [UInt8], into reader: inout ZooReader) throws(FieldError) {
    var unicode = reader
    let fault: FieldError?
    do throws(FieldError) {
      try unicode.read(bytes)
      fault = nil
    } catch {
      fault = error
    }
    let failed = unicode.failures.count - reader.failures.count
    if fault == nil, failed == 0 {
      reader = unicode
      return
    }
    if let text = unicodeOfBig5(bytes) {
      var big5 = reader
      do throws(FieldError) {
        try big5.read(text)
        // Bytes of something else can be Big5 by chance, but then less of them makes sense.
        if fault != nil || big5.failures.count - reader.failures.count < failed {
          reader = big5
          return
        }
      } catch {
        // What was wrong with the body as UTF-8 says more.
      }
    }
    if let fault { throw fault }
    reader = unicode
  }

  /// The table whose columns a body has; nil when it has those of none.
  ///
  /// The name that a table's rows go by stands at the beginning of every form of it.
  static func table(of bytes: [UInt8]) -> ZooTable? {
    let tables = ZooTable.allCases.map { table in
      (table: table, name: Array(table.nameColumn.name(in: table).utf8))
    }
    guard bytes.count > 8 else { return nil }
    for start in bytes.indices.dropLast() where bytes[start + 1] == UInt8(ascii: "_") {
      // The letter begins a word, and the name ends one: `E_Name` is no beginning of `E_Name_Old`.
      for (table, name) in tables where isWord(name, in: bytes, at: start) { return table }
    }
    return nil
  }

  private static func isWord(_ name: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
    let end = start + name.count
    guard end < bytes.count, start == 0 || !isWordPart(bytes[start - 1]), !isWordPart(bytes[end])
    else { return false }
    for offset in name.indices where lowercase(bytes[start + offset]) != name[offset] {
      return false
    }
    return true
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || lowercase(byte) &- 0x61 < 26
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// The body in UTF-8 when it is in Big5; nil when it is in UTF-8 as it stands.
  private static func unicodeOfBig5(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil
    else { return nil }
    return Big5.utf8(bytes, damage: 0xFF)
  }
}
