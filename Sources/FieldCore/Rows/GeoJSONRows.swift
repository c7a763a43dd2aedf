extension RowScan {
  /// Reads the next feature of GeoJSON or of ArcGIS, which calls the properties `attributes`: its
  /// properties are the columns, and so are its own `geometry` and `id`, unless a property has that
  /// name.
  mutating func readFeature(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    let start = scanner.at
    beginRow()
    guard scanner.peek(bytes) == UInt8(ascii: "{") else {
      return try skipRow(bytes, "a feature was expected")
    }
    try readFeatureMembers(bytes)
    endRow(bytes, start..<scanner.at, body)
  }

  /// Reads the members of the next object, which is a feature, into the row's cells.
  mutating func readFeatureMembers(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard try scanner.enter(bytes, until: UInt8(ascii: "}")) else { return }
    repeat {
      try readFeatureMember(bytes)
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
  }

  private mutating func readFeatureMember(_ bytes: Span<UInt8>) throws(JSONFault) {
    let key = try scanner.key(bytes)
    if scanner.peek(bytes) == UInt8(ascii: "{"),
      JSONKey.firstMatch(of: ["properties", "attributes"], bytes, key) != nil
    {
      return try readMembers(bytes)
    }
    guard let name = JSONKey.firstMatch(of: ["geometry", "id"], bytes, key),
      let match = resolveFeatureMember(name)
    else { return try scanner.skipValue(bytes) }
    var cell = try scanner.cell(bytes)
    cell.rank = match.rank
    place(cell, match.column, bytes)
  }
}

/// Comparisons of the keys of the few objects around the rows.
enum JSONKey {
  /// Returns whether a key is a name.
  static func matches(_ name: String, _ bytes: Span<UInt8>, _ key: JSONString) -> Bool {
    if !key.isEscaped, key.end - key.start != name.utf8.count { return false }
    return JSONValue.text(bytes, key) == name
  }

  /// Returns the first of several names that a key matches.
  static func firstMatch(
    of names: [String], _ bytes: Span<UInt8>, _ key: JSONString
  ) -> String? {
    names.first { matches($0, bytes, key) }
  }
}
