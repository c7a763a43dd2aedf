internal import FieldCore

/// A reader for responses of api.metro.taipei that begin with markup.
///
/// Only two elements matter, so they are searched by hand; an XML parser would add another library
/// to a light module.
enum SOAPAnswer {
  /// Returns the JSON in an element of the response, with entities replaced, or `nil` if the
  /// response is neither SOAP nor text, such as an HTML page.
  ///
  /// - Throws: `metro.refused` if the response is a SOAP fault or says something other than rows;
  ///   `rows.cut` if the element doesn't end.
  static func json(in bytes: [UInt8]) throws(FieldError) -> [UInt8]? {
    if let fault = fault(in: bytes) { throw fault }
    for name in ["Result", "string"] {
      guard let element = element(endingIn: name, in: bytes) else { continue }
      guard let content = element.content else {
        throw FieldError(.cut, "The SOAP response is cut off. Request it again.")
      }
      let text = XMLText.unescaped(content[...])
      let first = FeedBody.firstInk(text)
      if first < text.count, text[first] == UInt8(ascii: "[") { return text }
      throw refused(
        first < text.count ? String(decoding: text.prefix(200), as: UTF8.self) : "nothing")
    }
    guard find(":Envelope", in: bytes) != nil else { return nil }
    throw find("Envelope>", in: bytes) == nil
      ? FieldError(.cut, "The SOAP response is cut off. Request it again.")
      : refused("an empty envelope")
  }

  static func fault(in bytes: [UInt8]) -> FieldError? {
    guard find(":Fault", in: bytes) != nil || find("<Fault", in: bytes) != nil else { return nil }
    let said = ["faultstring", "Text"].lazy.compactMap { element(endingIn: $0, in: bytes)?.content }
      .first
    return refused(
      String(decoding: XMLText.unescaped((said ?? [])[...]).prefix(300), as: UTF8.self))
  }

  private static func refused(_ said: String) -> FieldError {
    FieldError(
      .feedRefused,
      "The service returned no rows, but this: \(said). Check the user name and password, "
        + "or try again later.")
  }

  private struct Element {
    /// The content between the tags; `nil` if the closing one is missing.
    var content: [UInt8]?
  }

  /// Returns the first element whose name ends with `name`; its content is `nil` if its end is
  /// missing.
  private static func element(endingIn name: String, in bytes: [UInt8]) -> Element? {
    let name = Array(name.utf8)
    var at = 0
    while let open = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      var end = open + 1
      while end < bytes.count, isName(bytes[end]) { end += 1 }
      at = open + 1
      guard end - open > name.count, bytes[..<end].suffix(name.count).elementsEqual(name) else {
        continue
      }
      guard let close = bytes[end...].firstIndex(of: UInt8(ascii: ">")) else { return Element() }
      if bytes[close - 1] == UInt8(ascii: "/") { return Element(content: []) }
      let tag = String(decoding: bytes[(open + 1)..<end], as: UTF8.self)
      guard let finish = find("</\(tag)", in: bytes, from: close) else { return Element() }
      return Element(content: Array(bytes[(close + 1)..<finish]))
    }
    return nil
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }

  static func find(
    _ text: String, in bytes: [UInt8], from start: Int = 0, before end: Int = .max
  ) -> Int? {
    let wanted = Array(text.utf8)
    let last = min(end, bytes.count - wanted.count + 1)
    return (start..<max(start, last)).first {
      bytes[$0] == wanted[0] && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}
