/// A strict scanner of JSON text (RFC 8259) that reads one token at a time, without building
/// anything.
///
/// Everything in the package that reads JSON uses it, also for values that aren't needed, so that a
/// broken body is never mistaken for a shorter one. It doesn't recurse: nesting is limited to
/// ``deepest`` levels and stored in bits.
///
/// The bytes are passed to every method, because a struct can't store a span yet.
struct JSONScanner {
  /// The maximum number of arrays and objects that may be open at once.
  ///
  /// Values are written, compared and converted by recursion, which must fit the 512 KB of stack that
  /// tasks have on Apple platforms.
  static let deepest = 128

  /// The offset of the next byte.
  var at = 0
  /// The number of arrays and objects that the caller has entered.
  var depth = 0
  /// A Boolean value that indicates whether line breaks aren't space, as inside a line of NDJSON.
  var staysOnLine = false
  /// A Boolean value that indicates whether `NaN` and infinities, which several programs write, are
  /// values.
  var allowsNonFinite = false
  /// A Boolean value that indicates whether a string since the last ``forgetText()`` contained a
  /// character beyond ASCII, escaped or not.
  var sawNonASCII = false
  /// The start of the first string since the last ``forgetText()`` that isn't valid UTF-8.
  var badUTF8: Int?
  /// The start of the first string since the last ``forgetText()`` that contains half of an escaped
  /// surrogate pair, which isn't text.
  var halfPair: Int?

  /// The containers that ``skipContainer(_:)`` has entered.
  private var nesting = JSONNesting()

  init(at start: Int = 0) { at = start }

  /// Resets the notes about strings.
  @inline(__always)
  mutating func forgetText() {
    sawNonASCII = false
    badUTF8 = nil
    halfPair = nil
  }

  /// Returns the next byte, or 0, which isn't a token, at the end.
  @inline(__always)
  func peek(_ bytes: Span<UInt8>) -> UInt8 { at < bytes.count ? bytes[at] : 0 }

  /// Returns the fault at the next byte.
  func fault(_ reason: JSONFault.Reason, _ bytes: Span<UInt8>) -> JSONFault {
    JSONFault(offset: min(at, bytes.count), reason: at < bytes.count ? reason : .end)
  }

  /// Moves to the next byte that isn't space.
  @inline(__always)
  mutating func skipSpace(_ bytes: Span<UInt8>) {
    if at < bytes.count, bytes[at] <= 0x20 { skipSomeSpace(bytes) }
  }

  @inline(never)
  private mutating func skipSomeSpace(_ bytes: Span<UInt8>) {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x09: at &+= 1
      case 0x0A, 0x0D:
        if staysOnLine { return }
        at &+= 1
      default: return
      }
    }
  }

  /// Moves to the first token of the next array or object, or past one that is empty, and returns
  /// which.
  @inline(__always)
  mutating func enter(_ bytes: Span<UInt8>, until closer: UInt8) throws(JSONFault) -> Bool {
    guard depth < Self.deepest else { throw fault(.depth, bytes) }
    at &+= 1
    skipSpace(bytes)
    if peek(bytes) == closer {
      at &+= 1
      return false
    }
    depth &+= 1
    return true
  }

  /// Moves past a colon and to the value after it.
  @inline(__always)
  mutating func colon(_ bytes: Span<UInt8>) throws(JSONFault) {
    // Nearly all colons and commas are next, without space.
    if peek(bytes) != UInt8(ascii: ":") {
      skipSpace(bytes)
      guard peek(bytes) == UInt8(ascii: ":") else { throw fault(.colon, bytes) }
    }
    at &+= 1
    skipSpace(bytes)
  }

  /// Moves to the next value if one follows, or past the closing byte, and returns which.
  @inline(__always)
  mutating func another(_ bytes: Span<UInt8>, until closer: UInt8) throws(JSONFault) -> Bool {
    var byte = peek(bytes)
    if byte != UInt8(ascii: ","), byte != closer {
      skipSpace(bytes)
      byte = peek(bytes)
    }
    if byte == UInt8(ascii: ",") {
      at &+= 1
      skipSpace(bytes)
      return true
    }
    guard byte == closer else {
      throw fault(closer == UInt8(ascii: "}") ? .commaOrBrace : .commaOrBracket, bytes)
    }
    at &+= 1
    depth &-= 1
    return false
  }

  /// Moves past the next value.
  mutating func skipValue(_ bytes: Span<UInt8>) throws(JSONFault) {
    switch peek(bytes) {
    case UInt8(ascii: "\""): _ = try string(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer(bytes)
    default: _ = try scalar(bytes)
    }
  }

  /// Moves past the next array or object, however deep it is.
  mutating func skipContainer(_ bytes: Span<UInt8>) throws(JSONFault) {
    nesting.removeAll()
    let outside = depth
    defer { depth = outside }
    values: while true {
      switch peek(bytes) {
      case UInt8(ascii: "\""):
        _ = try string(bytes)
      case UInt8(ascii: "{"):
        if try enter(bytes, until: UInt8(ascii: "}")) {
          nesting.push(isObject: true)
          _ = try key(bytes)
          continue values
        }
      case UInt8(ascii: "["):
        if try enter(bytes, until: UInt8(ascii: "]")) {
          nesting.push(isObject: false)
          continue values
        }
      default:
        _ = try scalar(bytes)
      }
      while true {
        if nesting.isEmpty { return }
        let isObject = nesting.isInObject
        if try another(bytes, until: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { _ = try key(bytes) }
          continue values
        }
        nesting.pop()
      }
    }
  }

  /// Reads the next key, and moves past its colon.
  @inline(__always)
  mutating func key(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONString {
    guard peek(bytes) == UInt8(ascii: "\"") else { throw fault(.key, bytes) }
    let key = try string(bytes)
    try colon(bytes)
    return key
  }

  /// Moves past remaining space, and throws if anything else follows.
  mutating func expectEnd(_ bytes: Span<UInt8>) throws(JSONFault) {
    skipSpace(bytes)
    guard at == bytes.count else { throw fault(.trailing, bytes) }
  }
}

// MARK: - Loose

extension JSONScanner {
  /// Moves past the next value, whose tokens may be wrong, but not its structure.
  ///
  /// This finds the end of a row that breaks the rules of JSON. Instead of a value, there may be a
  /// word such as `None`, `01`, or `+1`, or nothing; a string may contain any escapes and control
  /// characters; and a comma may precede a closing bracket. Brackets, quotes, colons, and the other
  /// commas have to be in their places, so that the rest of a body that was cut and joined again
  /// isn't mistaken for part of the row.
  mutating func skipLoosely(_ bytes: Span<UInt8>) throws(JSONFault) {
    var nesting = JSONNesting()
    let outside = depth
    defer { depth = outside }
    values: while true {
      switch peek(bytes) {
      case UInt8(ascii: "\""):
        try skipStringLoosely(bytes)
      case UInt8(ascii: "{"):
        if try enter(bytes, until: UInt8(ascii: "}")) {
          nesting.push(isObject: true)
          try skipKeyLoosely(bytes)
          continue values
        }
      case UInt8(ascii: "["):
        if try enter(bytes, until: UInt8(ascii: "]")) {
          nesting.push(isObject: false)
          continue values
        }
      default:
        while at < bytes.count, Self.isWordByte(bytes[at]) { at &+= 1 }
      }
      while true {
        if nesting.isEmpty { return }
        let isObject = nesting.isInObject
        let closer = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if try another(bytes, until: closer) {
          if peek(bytes) != closer {
            if isObject { try skipKeyLoosely(bytes) }
            continue values
          }
          at &+= 1
          depth &-= 1
        }
        nesting.pop()
      }
    }
  }

  /// Moves past the next value, loosely if it breaks the rules: for a first look at a body whose
  /// rows are read afterward, when each is judged alone.
  mutating func skipRows(_ bytes: Span<UInt8>) throws(JSONFault) {
    let start = self
    do throws(JSONFault) {
      try skipValue(bytes)
    } catch {
      if error.isCut || error.reason == .depth { throw error }
      self = start
      do throws(JSONFault) {
        try skipLoosely(bytes)
      } catch let rest {
        throw rest.isCut ? rest : error
      }
    }
  }

  private mutating func skipKeyLoosely(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard peek(bytes) == UInt8(ascii: "\"") else { throw fault(.key, bytes) }
    try skipStringLoosely(bytes)
    try colon(bytes)
  }

  private mutating func skipStringLoosely(_ bytes: Span<UInt8>) throws(JSONFault) {
    at &+= 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      at &+= bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard at < bytes.count else { throw JSONFault(offset: bytes.count, reason: .end) }
    at &+= 1
  }

  /// Returns whether a byte may be part of a word or a number.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

// MARK: - Tokens

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
