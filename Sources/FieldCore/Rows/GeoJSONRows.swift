extension RowScan {
  /// Reads the GeoJSON feature that is next: its properties are the columns, and its own `geometry`
  /// and `id` are columns of these names unless a property is.
  mutating func readFeature(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    let start = scanner.at
    beginRow()
    guard scanner.peek(bytes) == UInt8(ascii: "{") else {
      return try skipRow(bytes, "a feature was expected")
    }
    try scanner.enter(bytes)
    if scanner.peek(bytes) == UInt8(ascii: "}") {
      scanner.at += 1
      scanner.depth -= 1
    } else {
      repeat {
        try readFeatureMember(bytes)
      } while try scanner.another(
        bytes, until: UInt8(ascii: "}"))
    }
    endRow(bytes, start..<scanner.at, body)
  }

  private mutating func readFeatureMember(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard scanner.peek(bytes) == UInt8(ascii: "\"") else { throw scanner.fault(.key, bytes) }
    let key = try scanner.string(bytes)
    try scanner.colon(bytes)
    if JSONKey.matches("properties", bytes, key), scanner.peek(bytes) == UInt8(ascii: "{") {
      return try readMembers(bytes)
    }
    guard let name = JSONKey.firstMatch(of: ["geometry", "id"], bytes, key),
      let match = schema.resolveFeatureMember(name)
    else { return try scanner.skipValue(bytes) }
    var cell = try scanner.cell(bytes)
    cell.rank = match.rank
    place(cell, match.column)
  }
}

/// Compares the keys of the few objects around the rows.
enum JSONKey {
  /// Whether a key is this name.
  static func matches(_ name: String, _ bytes: Span<UInt8>, _ key: JSONString) -> Bool {
    if !key.isEscaped, key.end - key.start != name.utf8.count { return false }
    return JSONValue.text(bytes, key) == name
  }

  /// The first of the names that the key is.
  static func firstMatch(
    of names: [String], _ bytes: Span<UInt8>, _ key: JSONString
  ) -> String? {
    names.first { matches($0, bytes, key) }
  }
}
