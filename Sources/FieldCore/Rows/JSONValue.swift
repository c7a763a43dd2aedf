/// A complete JSON value, for the few cells that contain more than text, such as a location.
///
/// A number keeps its text, so that no digits are lost.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A key of an object and its value.
  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a key, the last one if the key is repeated, or `nil` if this isn't an object.
  ///
  /// A new value becomes the last member, `nil` removes the key, and setting changes nothing but objects.
  package subscript(key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.last { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      members.removeAll { $0.key == key }
      if let newValue { members.append(Member(key: key, value: newValue)) }
      self = .object(members)
    }
  }

  /// The elements; `nil` if this isn't an array.
  package var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The text of a string; `nil` for any other value.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, or the number in a string; `nil` if there is none or it isn't finite.
  package var double: Double? {
    withDecimalText { DecimalText.double($0, 0..<$0.count) }
  }

  /// The integer, or the integer in a string; `nil` if there is none or it doesn't fit.
  package var integer: Int? { int64.flatMap { Int(exactly: $0) } }

  /// The integer of 64 bits, such as a time in seconds, or the one in a string; `nil` if there is
  /// none or it doesn't fit.
  package var int64: Int64? {
    withDecimalText { DecimalText.integer($0, 0..<$0.count) }
  }

  private func withDecimalText<Result>(_ body: (Span<UInt8>) -> Result?) -> Result? {
    switch self {
    case .number(let text), .string(let text):
      Array(text.utf8).withByteSpan(body)
    case .null, .bool, .array, .object: nil
    }
  }
}

extension JSONValue {
  /// Returns the value at an offset of text that a ``JSONScanner`` has scanned, or `nil` if there
  /// is none. It doesn't recurse. `NaN` is null, and an infinity is a string.
  static func read(_ bytes: Span<UInt8>, from start: Int) -> JSONValue? {
    var scanner = JSONScanner(at: start)
    scanner.allowsNonFinite = true
    do throws(JSONFault) {
      return try read(bytes, with: &scanner)
    } catch {
      return nil
    }
  }

  /// Reads the next value.
  static func read(
    _ bytes: Span<UInt8>, with scanner: inout JSONScanner
  ) throws(JSONFault) -> JSONValue {
    var open: [Container] = []
    let outside = scanner.depth
    while true {
      var value: JSONValue?
      switch scanner.peek(bytes) {
      case UInt8(ascii: "\""):
        value = .string(text(bytes, try scanner.string(bytes)))
      case UInt8(ascii: "{"):
        var container = Container(closer: UInt8(ascii: "}"))
        if try scanner.enter(bytes, until: container.closer) {
          container.key = text(bytes, try scanner.key(bytes))
          open.append(container)
        } else {
          value = container.value
        }
      case UInt8(ascii: "["):
        let container = Container(closer: UInt8(ascii: "]"))
        if try scanner.enter(bytes, until: container.closer) {
          open.append(container)
        } else {
          value = container.value
        }
      default:
        let start = scanner.at
        switch try scanner.scalar(bytes) {
        case .bool: value = .bool(bytes[start] == UInt8(ascii: "t"))
        case .number: value = .number(bytes.text(start..<scanner.at))
        case .text: value = .string(bytes.text(start..<scanner.at))
        default: value = .null
        }
      }
      while var done = value {
        guard var container = open.popLast() else {
          scanner.depth = outside
          return done
        }
        container.add(done)
        if try scanner.another(bytes, until: container.closer) {
          if container.closer == UInt8(ascii: "}") {
            container.key = text(bytes, try scanner.key(bytes))
          }
          open.append(container)
          value = nil
        } else {
          done = container.value
          value = done
        }
      }
    }
  }

  /// An array or object in progress.
  private struct Container {
    let closer: UInt8
    var key = ""
    var elements: [JSONValue] = []
    var members: [Member] = []

    mutating func add(_ value: JSONValue) {
      if closer == UInt8(ascii: "]") {
        elements.append(value)
      } else {
        members.append(Member(key: key, value: value))
      }
    }

    var value: JSONValue { closer == UInt8(ascii: "]") ? .array(elements) : .object(members) }
  }

  /// Returns the text of a string's content.
  static func text(_ bytes: Span<UInt8>, _ string: JSONString) -> String {
    let range = string.start..<string.end
    guard string.isEscaped else { return bytes.text(range) }
    return String(decoding: JSONText.unescaped(bytes, range), as: UTF8.self).streamSafe
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral
{
  /// Creates an object of the members that have a value; pass ``null`` for a member that is null.
  package init(dictionaryLiteral members: (String, JSONValue?)...) {
    self = .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }

  /// Creates an array.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates a string.
  package init(stringLiteral text: String) { self = .string(text) }
}

// MARK: - Writing

extension JSONValue {
  /// The value as JSON without blanks, with sorted keys and numbers as written, so that equal
  /// values have equal texts.
  package var canonicalText: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nesting is limited by ``JSONScanner``, so recursion is safe.
  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let text): bytes.append(contentsOf: text.utf8)
    case .string(let text): JSONText.append(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (position, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
