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
