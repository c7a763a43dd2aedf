extension JSONWrapping {
  /// Returns the text of the `<string>` element that .NET's web services put around JSON, with
  /// references replaced; `nil` if the body is another document, or has other elements inside.
  ///
  /// Without the closing tag, it is the text up to the end, so that the JSON shows what is missing.
  static func elementText(_ bytes: Span<UInt8>, at start: Int) -> [UInt8]? {
    var at = start
    if bytes.begins(with: "<?xml", at: at) {
      guard let end = end(of: "?>", bytes, from: at, within: 200) else { return nil }
      at = ForeignBody.firstInk(bytes, from: end)
    }
    guard bytes.begins(with: "<string", at: at), at + 7 < bytes.count,
      bytes[at + 7] == UInt8(ascii: ">") || bytes[at + 7] <= 0x20,
      let open = end(of: ">", bytes, from: at + 7, within: 500)
    else { return nil }
    at = ForeignBody.firstInk(bytes, from: open)
    if bytes.begins(with: "<![CDATA[", at: at) {
      let close = end(of: "]]>", bytes, from: at, within: .max).map { $0 - 3 } ?? bytes.count
      return copy(bytes, at + 9, close)
    }
    let close = bytes.firstOffset(of: UInt8(ascii: "<"), from: at)
    guard close == bytes.count || bytes.begins(with: "</string", at: close) else { return nil }
    return unescaped(bytes, at, close)
  }

  /// Returns the offset after a mark, or `nil` if it doesn't end within a number of bytes.
  private static func end(
    of mark: StaticString, _ bytes: Span<UInt8>, from start: Int, within count: Int
  ) -> Int? {
    let limit = count < bytes.count - start ? start + count : bytes.count
    var at = start
    while at < limit {
      if bytes.begins(with: mark, at: at) { return at + mark.utf8CodeUnitCount }
      at += 1
    }
    return nil
  }

  private static func copy(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(max(0, end - start))
    var at = start
    while at < end {
      text.append(bytes[at])
      at += 1
    }
    return text
  }

  /// Returns a text with its references replaced. One that isn't known stays as it is.
  private static func unescaped(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(end - start)
    var at = start
    while at < end {
      if bytes[at] == UInt8(ascii: "&"), let (scalar, next) = reference(bytes, at, end) {
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        at = next
      } else {
        text.append(bytes[at])
        at += 1
      }
    }
    return text
  }

  private static func reference(
    _ bytes: Span<UInt8>, _ start: Int, _ end: Int
  ) -> (Unicode.Scalar, Int)? {
    var name = ""
    var at = start + 1
    while at < end, at - start < 12, bytes[at] != UInt8(ascii: ";") {
      name.unicodeScalars.append(Unicode.Scalar(bytes[at]))
      at += 1
    }
    guard at < end, bytes[at] == UInt8(ascii: ";") else { return nil }
    let scalar: Unicode.Scalar? =
      switch name {
      case "lt": "<"
      case "gt": ">"
      case "amp": "&"
      case "quot": "\""
      case "apos": "'"
      default: number(name).flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
      }
    return scalar.map { ($0, at + 1) }
  }

  private static func number(_ name: String) -> UInt32? {
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    guard digits.first == "x" || digits.first == "X" else { return UInt32(digits) }
    return UInt32(digits.dropFirst(), radix: 16)
  }
}
