extension RowScan {
  /// Reads the array of rows under a path of keys in the next object.
  ///
  /// Everything around the rows is scanned as strictly as the rows. If a key is repeated, the first
  /// one that leads to rows is used.
  mutating func readEnvelope(
    _ bytes: Span<UInt8>, path: [String], of element: Element, _ body: Body
  ) throws(JSONFault) {
    scanner.skipSpace(bytes)
    rowsAreMissing = try !readLevel(bytes, path[...], of: element, body)
  }

  /// Reads the next value, to which the rest of the path applies, and returns whether it contained
  /// rows.
  private mutating func readLevel(
    _ bytes: Span<UInt8>, _ path: ArraySlice<String>, of element: Element, _ body: Body
  ) throws(JSONFault) -> Bool {
    guard let name = path.first else {
      guard scanner.peek(bytes) == UInt8(ascii: "[") else {
        try scanner.skipValue(bytes)
        return false
      }
      try readElements(bytes, of: element, body)
      return true
    }
    guard scanner.peek(bytes) == UInt8(ascii: "{") else {
      try scanner.skipValue(bytes)
      return false
    }
    var isFound = false
    var announced: Int?
    guard try scanner.enter(bytes, until: UInt8(ascii: "}")) else { return false }
    repeat {
      let key = try scanner.key(bytes)
      if !isFound, JSONKey.matches(name, bytes, key) {
        isFound = try readLevel(bytes, path.dropFirst(), of: element, body)
      } else if JSONKey.firstMatch(of: ["count", "total", "__totalCount"], bytes, key) != nil {
        let start = scanner.at
        try scanner.skipValue(bytes)
        // Some portals write it as a string.
        let isText = bytes[start] == UInt8(ascii: "\"")
        let number = isText ? start + 1..<scanner.at - 1 : start..<scanner.at
        announced = DecimalText.integer(bytes, number) ?? announced
      } else {
        try scanner.skipValue(bytes)
      }
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
    // The innermost object takes precedence.
    if isFound { summary.announcedRows = summary.announcedRows ?? announced }
    return isFound
  }
}
