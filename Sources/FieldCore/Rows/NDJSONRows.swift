extension RowScan {
  /// Reads one object per line, or one over several lines, as `jq` prints them.
  ///
  /// An invalid line fails alone, except for the last one if the body ends in the middle of it.
  mutating func readLines(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    scanner.staysOnLine = true
    while true {
      skipLineBreaks(bytes)
      guard scanner.at < bytes.count else { return }
      let start = scanner.at
      do throws(JSONFault) {
        try readLine(bytes, body)
      } catch {
        if error.isCut { throw error }
        if try readSpreadObject(bytes, at: start, body) { continue }
        let end = lineEnd(bytes, from: start)
        refuseRow(
          bytes, start..<end, "it isn't JSON at byte \(error.offset) of the body: \(error.text)")
        scanner.depth = 0
        scanner.at = end
      }
    }
  }

  private mutating func readLine(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    let start = scanner.at
    beginRow()
    let isObject = scanner.peek(bytes) == UInt8(ascii: "{")
    if isObject { try readMembers(bytes) } else { try scanner.skipValue(bytes) }
    let end = scanner.at
    scanner.skipSpace(bytes)
    if scanner.at < bytes.count, bytes[scanner.at] != 0x0A, bytes[scanner.at] != 0x0D {
      throw scanner.fault(.trailing, bytes)
    }
    if isObject {
      endRow(bytes, start..<end, body)
    } else {
      refuseRow(bytes, start..<end, "an object was expected")
    }
  }

  /// Reads the object that begins at an offset and spans several lines; returns `false` if there is
  /// none.
  private mutating func readSpreadObject(
    _ bytes: Span<UInt8>, at start: Int, _ body: Body
  ) throws(JSONFault) -> Bool {
    guard bytes[start] == UInt8(ascii: "{") else { return false }
    var probe = JSONScanner(at: start)
    do throws(JSONFault) {
      try probe.skipContainer(bytes)
    } catch {
      // A line of NDJSON contains more than a brace, so this is a truncated object, not a broken
      // line.
      let rest = start + 1..<lineEnd(bytes, from: start)
      if error.isCut, bytes.trimmed(rest).isEmpty { throw error }
      return false
    }
    probe.staysOnLine = true
    probe.skipSpace(bytes)
    guard probe.at == lineEnd(bytes, from: probe.at) else { return false }
    scanner = JSONScanner(at: start)
    beginRow()
    try readMembers(bytes)
    let end = scanner.at
    scanner.staysOnLine = true
    endRow(bytes, start..<end, body)
    return true
  }

  private mutating func skipLineBreaks(_ bytes: Span<UInt8>) {
    while scanner.at < bytes.count, bytes[scanner.at] <= 0x20 {
      switch bytes[scanner.at] {
      case 0x20, 0x09, 0x0A, 0x0D: scanner.at &+= 1
      default: return
      }
    }
  }

  /// Returns the offset of the first line break after `start`, or the length.
  private func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at &+= 1 }
    return at
  }
}
