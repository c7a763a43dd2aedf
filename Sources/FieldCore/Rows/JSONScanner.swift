/// Walks over JSON text strictly by RFC 8259, one token at a time, without building anything.
///
/// Everything that reads JSON in the package goes through it, also over values that nobody asked for,
/// so that a broken body is never taken for a shorter one. It does not recurse: nesting is bounded by
/// ``deepest`` and kept in bits.
///
/// The bytes are handed to every method rather than kept, since a struct cannot hold a span yet.
struct JSONScanner {
  /// How many arrays and objects may be open at once.
  static let deepest = 512

  /// The offset of the next byte.
  var at = 0
  /// How many arrays and objects the caller has entered on its own.
  var depth = 0
  /// Whether a line break is not space, as inside a line of NDJSON.
  var staysOnLine = false
  /// Whether a string since the last ``forgetText()`` held a byte beyond ASCII, itself or escaped.
  var sawNonASCII = false
  /// Where the first string since the last ``forgetText()`` begins whose bytes are no UTF-8.
  var badUTF8: Int?
  /// Where the first string since the last ``forgetText()`` begins that has half of a surrogate pair
  /// escaped in it, which is no text.
  var halfPair: Int?

  /// What ``skipContainer(_:)`` has open.
  private var nesting = JSONNesting()

  init(at start: Int = 0) { at = start }

  /// Begins to take notes about strings anew.
  @inline(__always)
  mutating func forgetText() {
    sawNonASCII = false
    badUTF8 = nil
    halfPair = nil
  }

  /// The next byte; 0, which is no token, at the end.
  @inline(__always)
  func peek(_ bytes: Span<UInt8>) -> UInt8 { at < bytes.count ? bytes[at] : 0 }

  /// The fault at the place of the next byte.
  func fault(_ reason: JSONFault.Reason, _ bytes: Span<UInt8>) -> JSONFault {
    JSONFault(offset: min(at, bytes.count), reason: at < bytes.count ? reason : .end)
  }

  /// Goes to the next byte that is no space.
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

  /// Goes into an array or object, whose opening byte is next, and to its first token.
  @inline(__always)
  mutating func enter(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard depth < Self.deepest else { throw fault(.depth, bytes) }
    depth &+= 1
    at &+= 1
    skipSpace(bytes)
  }

  /// Goes past a colon and to the value after it.
  @inline(__always)
  mutating func colon(_ bytes: Span<UInt8>) throws(JSONFault) {
    skipSpace(bytes)
    guard peek(bytes) == UInt8(ascii: ":") else { throw fault(.colon, bytes) }
    at &+= 1
    skipSpace(bytes)
  }

  /// After a value: whether another one follows, having gone to it, or the closing byte is behind.
  @inline(__always)
  mutating func another(_ bytes: Span<UInt8>, until closer: UInt8) throws(JSONFault) -> Bool {
    skipSpace(bytes)
    let byte = peek(bytes)
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

  /// Goes past the value that is next.
  mutating func skipValue(_ bytes: Span<UInt8>) throws(JSONFault) {
    switch peek(bytes) {
    case UInt8(ascii: "\""): _ = try string(bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer(bytes)
    default: _ = try scalar(bytes)
    }
  }

  /// Goes past the array or object that is next, however deep it is.
  mutating func skipContainer(_ bytes: Span<UInt8>) throws(JSONFault) {
    nesting.removeAll()
    let outside = depth
    defer { depth = outside }
    values: while true {
      switch peek(bytes) {
      case UInt8(ascii: "\""):
        _ = try string(bytes)
      case UInt8(ascii: "{"):
        try enter(bytes)
        if peek(bytes) == UInt8(ascii: "}") {
          at &+= 1
          depth &-= 1
        } else {
          nesting.push(isObject: true)
          try skipKey(bytes)
          continue values
        }
      case UInt8(ascii: "["):
        try enter(bytes)
        if peek(bytes) == UInt8(ascii: "]") {
          at &+= 1
          depth &-= 1
        } else {
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
          if isObject { try skipKey(bytes) }
          continue values
        }
        nesting.pop()
      }
    }
  }

  /// Goes past a key and its colon.
  @inline(__always)
  private mutating func skipKey(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard peek(bytes) == UInt8(ascii: "\"") else { throw fault(.key, bytes) }
    _ = try string(bytes)
    try colon(bytes)
  }

  /// Goes past whatever space is left; anything else is a fault.
  mutating func expectEnd(_ bytes: Span<UInt8>) throws(JSONFault) {
    skipSpace(bytes)
    guard at == bytes.count else { throw fault(.trailing, bytes) }
  }
}
