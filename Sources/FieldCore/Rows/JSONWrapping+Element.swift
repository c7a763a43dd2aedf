extension JSONWrapping {
  /// Returns the text of the `<string>` element that .NET's web services put around JSON, with
  /// references replaced; `nil` if the body is another document, or has other elements inside.
  ///
  /// Without the closing tag, it is the text up to the end, so that the JSON shows what is missing.
  static func elementText(_ body: [UInt8], at start: Int) -> [UInt8]? {
    guard let range = body.withByteSpan({ elementContent($0, at: start) }) else { return nil }
    return XMLText.unescaped(body[range])
  }

  private static func elementContent(_ bytes: Span<UInt8>, at start: Int) -> Range<Int>? {
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
    if bytes.begins(with: "<![CDATA[", at: at) { return at..<bytes.count }
    let close = bytes.firstOffset(of: UInt8(ascii: "<"), from: at)
    return close == bytes.count || bytes.begins(with: "</string", at: close) ? at..<close : nil
  }

  /// Returns the offset after a mark, or `nil` if it doesn't end within a number of bytes.
  private static func end(
    of mark: StaticString, _ bytes: Span<UInt8>, from start: Int, within count: Int
  ) -> Int? {
    let last = min(start + count, bytes.count)
    return (start..<max(start, last)).first { bytes.begins(with: mark, at: $0) }
      .map { $0 + mark.utf8CodeUnitCount }
  }
}
