/// The content of a JSON string, between its quotes.
struct JSONString {
  var start: Int
  var end: Int
  /// A Boolean value that indicates whether the content contains escapes.
  var isEscaped: Bool
}

extension JSONScanner {
  /// Moves past the string whose opening quote is next.
  @inline(__always)
  mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONString {
    let start = at &+ 1
    let count = bytes.count
    var here = start
    var seen: UInt64 = 0
    var isEscaped = false
    while true {
      var found = false
      while let word = bytes.wholeWord(at: here) {
        let hits =
          ByteTest.zeros(word ^ ByteTest.spread(UInt8(ascii: "\"")))
          | ByteTest.zeros(word ^ ByteTest.spread(UInt8(ascii: "\\"))) | ByteTest.controls(word)
        if hits == 0 {
          seen |= word
          here &+= 8
          continue
        }
        // The hit is the top bit of its byte; the lower bytes belong to the string.
        seen |= word & ((hits & (0 &- hits)) &- 1)
        here &+= ByteTest.first(hits)
        found = true
        break
      }
      if !found {
        while here < count {
          let byte = bytes[here]
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
          seen |= UInt64(byte)
          here &+= 1
        }
        guard here < count else { throw JSONFault(offset: count, reason: .end) }
      }
      if bytes[here] == UInt8(ascii: "\"") {
        at = here &+ 1
        if ByteTest.high(seen) != 0 { noteText(bytes, start..<here) }
        return JSONString(start: start, end: here, isEscaped: isEscaped)
      }
      isEscaped = true
      here = try escape(bytes, at: here, of: start)
    }
  }

  @inline(never)
  private mutating func noteText(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    sawNonASCII = true
    if badUTF8 == nil, !UTF8Check.isValid(bytes, range) { badUTF8 = range.lowerBound }
  }

  /// Returns the offset after the escape at `here`, and throws if it is invalid.
  @inline(never)
  private mutating func escape(
    _ bytes: Span<UInt8>, at here: Int, of start: Int
  ) throws(JSONFault) -> Int {
    guard bytes[here] == UInt8(ascii: "\\") else {
      throw JSONFault(offset: here, reason: .controlCharacter)
    }
    guard here &+ 1 < bytes.count else { throw JSONFault(offset: bytes.count, reason: .end) }
    switch bytes[here &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return here &+ 2
    case UInt8(ascii: "u"):
      break
    default:
      throw JSONFault(offset: here, reason: .escape)
    }
    for place in here &+ 2..<here &+ 6 {
      guard place < bytes.count else { throw JSONFault(offset: bytes.count, reason: .end) }
      guard JSONText.hexDigit(bytes[place]) != nil else {
        throw JSONFault(offset: here, reason: .escape)
      }
    }
    guard let unit = JSONText.escapedUnit(bytes, at: here) else {
      throw JSONFault(offset: here, reason: .escape)
    }
    if unit >= 0x80 { sawNonASCII = true }
    guard unit & 0xF800 == 0xD800 else { return here &+ 6 }
    if unit < 0xDC00, let low = JSONText.escapedUnit(bytes, at: here &+ 6), low & 0xFC00 == 0xDC00 {
      return here &+ 12
    }
    halfPair = halfPair ?? start
    return here &+ 6
  }

  /// Moves past the next number, `true`, `false`, or `null`, and returns which it is.
  ///
  /// If they are allowed, `NaN` is null, and an infinity is text.
  @inline(__always)
  mutating func scalar(_ bytes: Span<UInt8>) throws(JSONFault) -> RowCell.Kind {
    switch peek(bytes) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      return try number(bytes)
    case UInt8(ascii: "n"):
      return try literal("null", .null, bytes)
    case UInt8(ascii: "t"):
      return try literal("true", .bool, bytes)
    case UInt8(ascii: "f"):
      return try literal("false", .bool, bytes)
    default:
      return try nonFinite(bytes, or: fault(.value, bytes))
    }
  }

  /// Moves past `NaN`, `Infinity`, or `inf`, in any case and possibly with a sign, if these are
  /// allowed; otherwise, throws the fault.
  @inline(never)
  private mutating func nonFinite(
    _ bytes: Span<UInt8>, or fault: JSONFault
  ) throws(JSONFault) -> RowCell.Kind {
    guard allowsNonFinite else { throw fault }
    let hasSign = peek(bytes) == UInt8(ascii: "-") || peek(bytes) == UInt8(ascii: "+")
    let start = hasSign ? at &+ 1 : at
    var end = start
    while end < bytes.count, Self.isWordByte(bytes[end]) { end &+= 1 }
    let word = end &- start <= 8 ? bytes.text(start..<end).lowercased() : "-"
    // A body that is only another word, such as `Unauthorized`, isn't truncated.
    if end == bytes.count, depth > 0 || "infinity".hasPrefix(word) || "nan".hasPrefix(word) {
      throw JSONFault(offset: end, reason: .end)
    }
    switch word {
    case "nan":
      at = end
      return .null
    case "infinity", "inf":
      at = end
      return .text
    default:
      throw fault
    }
  }

  private mutating func literal(
    _ word: StaticString, _ kind: RowCell.Kind, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> RowCell.Kind {
    let start = at
    at &+= bytes.agreement(with: word, at: at)
    if at &- start == word.utf8CodeUnitCount { return kind }
    let fault = fault(.literal, bytes)
    at = start
    return try nonFinite(bytes, or: fault)
  }

  private mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) -> RowCell.Kind {
    let count = bytes.count
    var here = at
    @inline(__always)
    func digits() -> Bool {
      let first = here
      while here < count, bytes[here] &- UInt8(ascii: "0") < 10 { here &+= 1 }
      return here > first
    }
    func fail(_ reason: JSONFault.Reason) -> JSONFault {
      JSONFault(offset: here, reason: here < count ? reason : .end)
    }
    if bytes[here] == UInt8(ascii: "-") { here &+= 1 }
    let first = here
    guard digits() else { return try nonFinite(bytes, or: fail(.number)) }
    if bytes[first] == UInt8(ascii: "0"), here > first &+ 1 {
      throw JSONFault(offset: first, reason: .leadingZero)
    }
    if here < count, bytes[here] == UInt8(ascii: ".") {
      here &+= 1
      guard digits() else { throw fail(.number) }
    }
    if here < count, bytes[here] | 0x20 == UInt8(ascii: "e") {
      here &+= 1
      if here < count, bytes[here] == UInt8(ascii: "+") || bytes[here] == UInt8(ascii: "-") {
        here &+= 1
      }
      guard digits() else { throw fail(.number) }
    }
    at = here
    return .number
  }

  /// Moves past the next value and returns its range.
  @inline(__always)
  mutating func cell(_ bytes: Span<UInt8>) throws(JSONFault) -> RowCell {
    let start = at
    switch peek(bytes) {
    case UInt8(ascii: "\""):
      let string = try string(bytes)
      return RowCell(
        kind: .text, encoding: string.isEscaped ? .escapes : .plain, start: string.start,
        end: string.end)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skipContainer(bytes)
      return RowCell(kind: .nested, start: start, end: at)
    default:
      let kind = try scalar(bytes)
      return RowCell(kind: kind, start: start, end: at)
    }
  }
}
