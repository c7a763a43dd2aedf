extension RowScan {
  /// Reads one object a line. A line that is none fails alone, but the last one, when the body ends in
  /// the middle of it.
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
        let end = lineEnd(bytes, from: start)
        countFailure(
          bytes, start..<end, "it is not JSON at byte \(error.offset) of the body: \(error.text)",
          hasWrongBytes: scanner.badUTF8 != nil)
        scanner.forgetText()
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
      countFailure(
        bytes, start..<end, "an object was expected", hasWrongBytes: scanner.badUTF8 != nil)
      scanner.forgetText()
    }
  }

  private mutating func skipLineBreaks(_ bytes: Span<UInt8>) {
    while scanner.at < bytes.count, bytes[scanner.at] <= 0x20 {
      switch bytes[scanner.at] {
      case 0x20, 0x09, 0x0A, 0x0D: scanner.at &+= 1
      default: return
      }
    }
  }

  /// The offset of the first line break after `start`, or the length.
  private func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at &+= 1 }
    return at
  }
}
