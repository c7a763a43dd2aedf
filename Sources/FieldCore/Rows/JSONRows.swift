extension RowScan {
  /// The kind of the elements in an array of rows.
  enum Element {
    /// Objects, whose keys are the columns.
    case object
    /// GeoJSON features.
    case feature
    /// Arrays of cells, with the match of every position.
    case positional([RowSchema.Match?])
  }

  /// Reads the next array of rows.
  mutating func readElements(
    _ bytes: Span<UInt8>, of element: Element, _ body: Body
  ) throws(JSONFault) {
    guard scanner.peek(bytes) == UInt8(ascii: "[") else {
      rowsAreMissing = true
      return try scanner.skipValue(bytes)
    }
    try refuseWrongBytesOutsideRows()
    scanner.forgetText()
    guard try scanner.enter(bytes, until: UInt8(ascii: "]")) else { return }
    repeat {
      try readElement(bytes, of: element, body)
    } while try scanner.another(bytes, until: UInt8(ascii: "]"))
  }

  /// Reads the next row, and refuses it if its tokens break the rules of JSON.
  @inline(__always)
  mutating func readElement(
    _ bytes: Span<UInt8>, of element: Element, _ body: Body
  ) throws(JSONFault) {
    let start = scanner.at
    let depth = scanner.depth
    do throws(JSONFault) {
      switch element {
      case .object: try readObject(bytes, body)
      case .feature: try readFeature(bytes, body)
      case .positional(let matches): try readCells(bytes, matches, body)
      }
    } catch {
      try refuseBrokenRow(bytes, from: start, depth: depth, error)
    }
  }

  /// Makes a row with a fault a failure, and moves past it.
  ///
  /// The fault is that of the whole body if it ends too early, is nested too deep, or if the row's
  /// end is uncertain.
  @inline(never)
  mutating func refuseBrokenRow(
    _ bytes: Span<UInt8>, from start: Int, depth: Int, _ fault: JSONFault
  ) throws(JSONFault) {
    if fault.isCut || fault.reason == .depth { throw fault }
    scanner.at = start
    scanner.depth = depth
    do throws(JSONFault) {
      try scanner.skipLoosely(bytes)
    } catch {
      throw error.isCut ? error : fault
    }
    // Half of a character in another encoding may be a backslash.
    if scanner.badUTF8 == nil, !UTF8Check.isValid(bytes, start..<scanner.at) {
      scanner.badUTF8 = start
    }
    refuseRow(
      bytes, start..<scanner.at,
      "it isn't JSON at byte \(fault.offset) of the body: \(fault.text)")
  }

  /// Reads the next row, which should be an object.
  mutating func readObject(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    let start = scanner.at
    beginRow()
    guard scanner.peek(bytes) == UInt8(ascii: "{") else {
      return try skipRow(bytes, "an object was expected")
    }
    try readMembers(bytes)
    endRow(bytes, start..<scanner.at, body)
  }

  /// Skips an element that isn't a row, and reports it.
  mutating func skipRow(_ bytes: Span<UInt8>, _ reason: String) throws(JSONFault) {
    let start = scanner.at
    try scanner.skipValue(bytes)
    refuseRow(bytes, start..<scanner.at, reason)
  }

  /// Reads the members of the next object into the row's cells.
  @inline(__always)
  mutating func readMembers(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard try scanner.enter(bytes, until: UInt8(ascii: "}")) else { return }
    keys.rewind()
    repeat {
      guard scanner.peek(bytes) == UInt8(ascii: "\"") else { throw scanner.fault(.key, bytes) }
      let column: Int
      let rank: UInt16
      if let known = keys.pass(bytes, &scanner) {
        (column, rank) = known
      } else {
        (column, rank) = try learnKey(bytes)
      }
      try scanner.colon(bytes)
      if column < 0 {
        try scanner.skipValue(bytes)
      } else {
        var cell = try scanner.cell(bytes)
        cell.rank = rank
        place(cell, column, bytes)
      }
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
  }

  /// Stores a cell in its column unless a better match is there; among equal ones, the last is
  /// kept, as all readers of JSON do, and in CSV the last with a value.
  @inline(__always)
  mutating func place(_ cell: RowCell, _ column: Int, _ bytes: Span<UInt8>) {
    if row.cells[column].kind == .missing {
      row.cells[column] = cell
    } else {
      placeAgain(cell, column, bytes)
    }
  }

  @inline(never)
  private mutating func placeAgain(_ cell: RowCell, _ column: Int, _ bytes: Span<UInt8>) {
    func isVoid(_ cell: RowCell) -> Bool {
      cell.kind == .null || cell.kind == .text && RowText.isVoid(bytes, cell.range)
    }
    let known = row.cells[column]
    let isEqual =
      isVoid(cell) == isVoid(known) || cell.rank == known.rank && summary.format != .csv
    if isEqual ? cell.rank <= known.rank : isVoid(known) { row.cells[column] = cell }
  }

  @inline(never)
  private mutating func learnKey(
    _ bytes: Span<UInt8>
  ) throws(JSONFault) -> (column: Int, rank: UInt16) {
    let string = try scanner.string(bytes)
    // A key with invalid bytes fails its row, so it must be noticed every time.
    let isText = scanner.badUTF8 == nil && scanner.halfPair == nil
    let match = isText ? resolve(JSONValue.text(bytes, string)) : nil
    if isText {
      keys.insert(string, bytes, match)
      if scanner.sawNonASCII { noteTextKey() }
    }
    return (match?.column ?? -1, match?.rank ?? .max)
  }
}
