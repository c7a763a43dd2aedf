extension RowScan {
  /// Reads the array of rows, or the object whose values are rows, under a path of keys in the next
  /// object.
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
      switch scanner.peek(bytes) {
      case UInt8(ascii: "["):
        try readElements(bytes, of: element, body)
        return true
      case UInt8(ascii: "{"):
        return try readValues(bytes, of: element, body)
      default:
        try scanner.skipValue(bytes)
        return false
      }
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
        announced = DecimalText.integer(bytes, number).flatMap { Int(exactly: $0) } ?? announced
      } else {
        try scanner.skipValue(bytes)
      }
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
    // The innermost object takes precedence.
    if isFound { summary.announcedRows = summary.announcedRows ?? announced }
    return isFound
  }

  /// Reads the values of the next object as rows, and returns whether the first one is an object.
  ///
  /// A row without a cell in the key column gets its key in the object, as in exports of Firebase.
  private mutating func readValues(
    _ bytes: Span<UInt8>, of element: Element, _ body: Body
  ) throws(JSONFault) -> Bool {
    var probe = scanner
    var hasRows = try probe.enter(bytes, until: UInt8(ascii: "}"))
    if hasRows {
      _ = try probe.key(bytes)
      hasRows = probe.peek(bytes) == UInt8(ascii: "{")
    }
    guard hasRows else {
      try scanner.skipValue(bytes)
      return false
    }
    try refuseWrongBytesOutsideRows()
    scanner.forgetText()
    guard try scanner.enter(bytes, until: UInt8(ascii: "}")) else { return false }
    repeat {
      let name = try scanner.key(bytes)
      rowName = RowCell(
        kind: .text, encoding: name.isEscaped ? .escapes : .plain, start: name.start, end: name.end)
      try readElement(bytes, of: element, body)
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
    rowName = nil
    return true
  }
}
