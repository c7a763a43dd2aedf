internal import FieldCore

/// JSON with its own reader, so that the fake shares no mistake with the package.
indirect enum FakeJSON: Hashable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  /// An array with its elements, and the text from bracket to bracket.
  case array([FakeJSON], text: String)
  /// An object with its members in order, and the text from brace to brace.
  case object([Member], text: String)

  struct Member: Hashable {
    let key: String
    let value: FakeJSON
  }

  /// Returns the value of a key, or `nil` if it is missing or this isn't an object.
  subscript(key: String) -> FakeJSON? {
    guard case .object(let members, _) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The text of a string or a number; `nil` for any other value.
  var word: String? {
    switch self {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  var integer: Int? { word.flatMap { Int($0) } }

  /// Returns one JSON text, or `nil` if the bytes are invalid.
  static func read(_ bytes: some Collection<UInt8>) -> FakeJSON? {
    var reader = FakeJSONReader(bytes: Array(bytes))
    guard let value = reader.value(), reader.isAtEnd else { return nil }
    return value
  }

  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x00..<0x20:
        bytes.append(contentsOf: "\\u\(byte.digits(4, radix: 16))".utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

private struct FakeJSONReader {
  let bytes: [UInt8]
  var at = 0
  var depth = 0

  var isAtEnd: Bool { bytes[at...].allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) } }

  mutating func value() -> FakeJSON? {
    skipSpace()
    guard at < bytes.count, depth < 200 else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch bytes[at] {
    case UInt8(ascii: "{"): return list(to: "}") { $0.member() }.map { .object($0, text: $1) }
    case UInt8(ascii: "["): return list(to: "]") { $0.value() }.map { .array($0, text: $1) }
    case UInt8(ascii: "\""): return string().map(FakeJSON.string)
    default: return word()
    }
  }

  /// Returns the elements up to a bracket, and the text from bracket to bracket.
  private mutating func list<Element>(
    to end: Unicode.Scalar, _ element: (inout FakeJSONReader) -> Element?
  ) -> ([Element], String)? {
    let start = at
    at += 1
    var elements: [Element] = []
    if !take(end) {
      repeat {
        guard let element = element(&self) else { return nil }
        elements.append(element)
      } while take(",")
      guard take(end) else { return nil }
    }
    return (elements, String(decoding: bytes[start..<at], as: UTF8.self))
  }

  private mutating func member() -> FakeJSON.Member? {
    skipSpace()
    guard let key = string(), take(":"), let value = value() else { return nil }
    return FakeJSON.Member(key: key, value: value)
  }

  private mutating func string() -> String? {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
    at += 1
    var text: [UInt8] = []
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let scalar = escape() else { return nil }
      text.append(contentsOf: String(scalar).utf8)
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard at < bytes.count else { return nil }
    at += 1
    switch bytes[at - 1] {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"):
      guard let unit = unit() else { return nil }
      guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
      guard at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
        bytes[at + 1] == UInt8(ascii: "u")
      else { return "\u{FFFD}" }
      at += 2
      guard let low = self.unit() else { return nil }
      return Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low &- 0xDC00)) ?? "\u{FFFD}"
    default: return Unicode.Scalar(bytes[at - 1])
    }
  }

  private mutating func unit() -> UInt32? {
    guard at + 4 <= bytes.count else { return nil }
    at += 4
    return UInt32(String(decoding: bytes[(at - 4)..<at], as: UTF8.self), radix: 16)
  }

  private mutating func word() -> FakeJSON? {
    let start = at
    while at < bytes.count, !",]}: \n\r\t".utf8.contains(bytes[at]) { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    switch text {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: return Double(text) == nil ? nil : .number(text)
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) { at += 1 }
  }
}
