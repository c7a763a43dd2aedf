/// A reader of bodies that consist of one JSON text.
package enum JSONDocument {
  /// Returns the complete value of a body that is one JSON text, for responses that aren't rows.
  ///
  /// - Throws: The errors of ``validate(_:)``, and `rows.notData` if the body is an HTML page or
  ///   XML.
  package static func value(_ bytes: [UInt8]) throws(FieldError) -> JSONValue {
    try bytes.withByteSpan { bytes throws(FieldError) in
      let start = try ForeignBody.check(bytes)
      return try read(bytes, from: start) { bytes, scanner throws(JSONFault) in
        try JSONValue.read(bytes, with: &scanner)
      }
    }
  }

  /// Throws an error unless the bytes are one JSON text (RFC 8259), whatever its content.
  ///
  /// One byte-order mark before the text is allowed, and so is half of an escaped surrogate pair,
  /// which the grammar allows. Invalid UTF-8 in a string and nesting deeper than 128 levels aren't
  /// allowed.
  ///
  /// - Throws: `FieldError` with the code `rows.empty`, `rows.cut`, `rows.encoding`, or
  ///   `rows.malformed`; the message contains the offset of the byte.
  package static func validate(_ bytes: [UInt8]) throws(FieldError) {
    try bytes.withByteSpan { bytes throws(FieldError) in
      try read(bytes, from: ForeignBody.markLength(bytes)) { bytes, scanner throws(JSONFault) in
        try scanner.skipValue(bytes)
      }
    }
  }

  /// Returns a JSON text whose strings and keys are stream-safe, for decoders that compare and hash
  /// them as they are.
  ///
  /// - Throws: The errors of ``validate(_:)``.
  package static func streamSafe(_ bytes: [UInt8]) throws(FieldError) -> [UInt8] {
    try validate(bytes)
    var safe: [UInt8] = []
    var copied = 0
    bytes.withByteSpan { span in
      var scanner = JSONScanner()
      while scanner.at < span.count {
        guard span[scanner.at] == UInt8(ascii: "\"") else {
          scanner.at += 1
          continue
        }
        scanner.forgetText()
        guard let string = try? scanner.string(span) else { return }
        // Few strings are long, and most of these are the ASCII text of bytes.
        guard scanner.sawNonASCII, string.end - string.start > String.shortLength else {
          continue
        }
        safe += bytes[copied..<string.start - 1]
        JSONText.append(JSONValue.text(span, string), to: &safe)
        copied = string.end + 1
      }
    }
    return copied == 0 ? bytes : safe + bytes[copied...]
  }

  /// Returns an object without the values of some keys, which are usually its rows.
  ///
  /// The keys are looked for in the object and in the objects directly inside of it.
  package static func outline(
    _ bytes: [UInt8], without keys: Set<String>
  ) throws(FieldError) -> JSONValue {
    try bytes.withByteSpan { bytes throws(FieldError) in
      let start = try ForeignBody.check(bytes)
      return try read(bytes, from: start) { bytes, scanner throws(JSONFault) in
        try outline(bytes, with: &scanner, without: keys, depth: 2)
      }
    }
  }

  private static func outline(
    _ bytes: Span<UInt8>, with scanner: inout JSONScanner, without keys: Set<String>, depth: Int
  ) throws(JSONFault) -> JSONValue {
    let closer = UInt8(ascii: "}")
    guard depth > 0, scanner.peek(bytes) == UInt8(ascii: "{") else {
      return try JSONValue.read(bytes, with: &scanner)
    }
    var members: [JSONValue.Member] = []
    guard try scanner.enter(bytes, until: closer) else { return .object([]) }
    repeat {
      let key = JSONValue.text(bytes, try scanner.key(bytes))
      if keys.contains(key) {
        try scanner.skipValue(bytes)
      } else {
        let value = try outline(bytes, with: &scanner, without: keys, depth: depth - 1)
        members.append(JSONValue.Member(key: key, value: value))
      }
    } while try scanner.another(bytes, until: closer)
    return .object(members)
  }

  /// Reads the only value of a text with a closure, and refuses anything around the value but
  /// space.
  private static func read<Value>(
    _ bytes: Span<UInt8>, from start: Int,
    _ value: (Span<UInt8>, inout JSONScanner) throws(JSONFault) -> Value
  ) throws(FieldError) -> Value {
    var scanner = JSONScanner(at: start)
    scanner.skipSpace(bytes)
    guard scanner.at < bytes.count else {
      throw FieldError(.emptyBody, "Expected JSON, but the body is empty.")
    }
    do throws(JSONFault) {
      let value = try value(bytes, &scanner)
      try scanner.expectEnd(bytes)
      if let offset = scanner.badUTF8 { throw JSONFault(offset: offset, reason: .notUnicode) }
      return value
    } catch {
      throw error.fieldError
    }
  }
}

extension JSONFault {
  /// The fault as an error about the whole body.
  var fieldError: FieldError {
    switch reason {
    case .end:
      FieldError(.cut, "The body is cut off at byte \(offset). Request it again.")
    case .notUnicode:
      FieldError(.encoding, "The body isn't UTF-8 in the string at byte \(offset).")
    default:
      FieldError(.malformed, "The body isn't JSON at byte \(offset): \(text).")
    }
  }
}
