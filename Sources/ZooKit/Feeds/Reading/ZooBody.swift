internal import FieldCore

/// The bytes of a table, in any encoding and format.
enum ZooBody {
  /// Reads a body into a reader, as UTF-8 or else as Big5, the encoding of the portal's older CSV
  /// files.
  static func read(_ bytes: [UInt8], into reader: inout ZooReader) throws(FieldError) {
    var unicode = reader
    let result = Result { () throws(FieldError) in try unicode.read(bytes) }
    let isRead = if case .success = result { true } else { false }
    if isRead, unicode.found.failures.count == reader.found.failures.count {
      reader = unicode
      return
    }
    if let text = unicodeOfBig5(bytes) {
      var big5 = reader
      do throws(FieldError) {
        try big5.read(text)
        // Other bytes can be valid Big5 by chance, but hardly all of them: a UTF-8 file with a
        // damaged row stays UTF-8.
        let stillFailed = big5.found.failures.count - reader.found.failures.count
        let rowCount = big5.found.facts.rowCount - reader.found.facts.rowCount
        if stillFailed == 0 || !isRead && stillFailed * 2 < rowCount {
          reader = big5
          return
        }
      } catch {
        // The error of reading the body as UTF-8 is more informative.
      }
    }
    try result.get()
    reader = unicode
  }

  /// Returns the table with the most matching columns in a body, or `nil` if no columns match.
  ///
  /// The column names occur at the beginning of every form of a table, and in none of the zoo's
  /// texts. No single one of them is required.
  static func table(of bytes: [UInt8]) -> ZooTable? {
    var found: [ZooTable: Set<String>] = [:]
    for start in bytes.indices.dropLast(2) {
      // The first rows suffice; look further only if they don't.
      if start & 0x3FFF == 0, !found.isEmpty { break }
      guard bytes[start + 1] == UInt8(ascii: "_"), let table = tables[lowercase(bytes[start])],
        beginsWord(bytes, at: start)
      else { continue }
      let word = bytes[start...].prefix { isWordPart($0) }
      let name = String(decoding: word.map(lowercase), as: UTF8.self)
      if names[table]?.contains(name) == true { found[table, default: []].insert(name) }
    }
    return ZooTable.allCases.filter { found[$0] != nil }.max {
      (found[$0]?.count ?? 0) < (found[$1]?.count ?? 0)
    }
  }

  /// Returns whether a body begins like the portal's responses, so that its form needn't be
  /// detected by scanning it.
  static func isAnswer(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(256), as: UTF8.self).filter { !$0.isWhitespace }
    return head.hasPrefix(#"{"result":{"#)
      && (ZooWords.contains(head, #","results":["#) || ZooWords.contains(head, #"{"results":["#))
  }

  private static let tables = Dictionary(
    uniqueKeysWithValues: ZooTable.allCases.flatMap { table in
      table.letter.utf8.map { ($0, table) }
    })

  private static let names = Dictionary(
    uniqueKeysWithValues: ZooTable.allCases.map { ($0, Set($0.columns.flatMap(\.names))) })

  /// Returns whether a name can begin at an offset, possibly after an escaped byte-order mark.
  private static func beginsWord(_ bytes: [UInt8], at start: Int) -> Bool {
    guard start > 0, isWordPart(bytes[start - 1]) else { return true }
    return start >= 6 && bytes[start - 6] == UInt8(ascii: "\\")
      && lowercase(bytes[start - 5]) == UInt8(ascii: "u")
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || lowercase(byte) &- 0x61 < 26
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns a Big5 body as UTF-8, or `nil` if it already is UTF-8.
  private static func unicodeOfBig5(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) == nil
    else { return nil }
    return Big5.utf8(bytes, damage: 0xFF)
  }
}
