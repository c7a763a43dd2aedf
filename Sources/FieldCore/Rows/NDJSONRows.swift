extension RowScan {
  /// Reads one object per line, or one over several lines, as `jq` prints them, or a sequence whose
  /// texts follow record separators (RFC 7464).
  ///
  /// If the first object is a GeoJSON feature, all are (RFC 8142). An invalid line fails alone,
  /// except for the last one if the body ends in the middle of it.
  mutating func readLines(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    scanner.staysOnLine = true
    let element = lineElement(bytes)
    while true {
      skipLineBreaks(bytes)
      guard scanner.at < bytes.count else { return }
      let start = scanner.at
      do throws(JSONFault) {
        try readLine(bytes, of: element, body)
      } catch {
        if error.isCut { throw error }
        if try readSpreadObject(bytes, of: element, at: start, body) { continue }
        let end = lineEnd(bytes, from: start)
        refuseRow(
          bytes, start..<end, "it isn't JSON at byte \(error.offset) of the body: \(error.text)")
        scanner.depth = 0
        scanner.at = end
      }
    }
  }

  /// Returns the kind of the objects, that of the first one that can be read.
  private func lineElement(_ bytes: Span<UInt8>) -> Element {
    var at = scanner.at
    while at < bytes.count, bytes[at] != UInt8(ascii: "{") {
      guard bytes[at] <= 0x20 else { return .object }
      at += 1
    }
    guard at < bytes.count, let first = try? JSONOutline(bytes, at: at) else { return .object }
    return first.isFeature ? .feature : .object
  }

  private mutating func readLine(
    _ bytes: Span<UInt8>, of element: Element, _ body: Body
  ) throws(JSONFault) {
    let start = scanner.at
    beginRow()
    let isObject = scanner.peek(bytes) == UInt8(ascii: "{")
    if !isObject {
      try scanner.skipValue(bytes)
    } else if case .feature = element {
      try readFeatureMembers(bytes)
    } else {
      try readMembers(bytes)
    }
    let end = scanner.at
    scanner.skipSpace(bytes)
    if scanner.at < bytes.count, !Self.endsLine(bytes[scanner.at]) {
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
    _ bytes: Span<UInt8>, of element: Element, at start: Int, _ body: Body
  ) throws(JSONFault) -> Bool {
    guard bytes[start] == UInt8(ascii: "{") else { return false }
    var probe = JSONScanner(at: start)
    do throws(JSONFault) {
      try probe.skipLoosely(bytes)
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
    scanner.at = start
    scanner.depth = 0
    scanner.staysOnLine = false
    scanner.forgetText()
    defer { scanner.staysOnLine = true }
    try readElement(bytes, of: element, body)
    return true
  }

  private mutating func skipLineBreaks(_ bytes: Span<UInt8>) {
    while scanner.at < bytes.count, bytes[scanner.at] <= 0x20 {
      switch bytes[scanner.at] {
      case 0x20, 0x09, 0x0A, 0x0D, RowSniffing.recordSeparator: scanner.at &+= 1
      default: return
      }
    }
  }

  /// Returns whether a byte is a line break or a record separator.
  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x0D || byte == RowSniffing.recordSeparator
  }

  /// Returns the offset of the first line break or record separator after `start`, or the length.
  private func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, !Self.endsLine(bytes[at]) { at &+= 1 }
    return at
  }
}
