internal import FieldCore

/// An error of data.go.kr: a number and a word, in XML from the gateway or in JSON from the service.
struct GatewayRefusal {
  var code: String
  var reason: String

  init(code: String, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Finds the error in an XML document such as
  /// `<OpenAPI_ServiceResponse><cmmMsgHeader><returnAuthMsg>…`; nil when the body is none.
  ///
  /// The elements that matter are flat and hold text alone, so they are looked for as they stand;
  /// nothing in the document can make this read more than it has.
  init?(_ bytes: [UInt8]) {
    guard let text = Self.markup(bytes) else { return nil }
    guard
      let reason = Self.element("returnAuthMsg", of: text) ?? Self.element("resultMsg", of: text)
        ?? Self.element("errMsg", of: text)
    else { return nil }
    self.reason = reason
    code =
      Self.element("returnReasonCode", of: text) ?? Self.element("resultCode", of: text) ?? "?"
  }

  /// The error to throw.
  ///
  /// The numbers are those of data.go.kr's guide: 20 to 22 and 30 to 33 are of the key and of how often
  /// it was used.
  var error: FieldError {
    let words = "data.go.kr answers \(code): \(reason.prefix(200))"
    let number = Int(code) ?? -1
    if number == 22 || number == 23 || reason.contains("LIMITED_NUMBER") {
      return FieldError(.tooManyRequests, "\(words); the key's calls of this day are used up")
    }
    if [20, 21, 30, 31, 32, 33].contains(number) || reason.contains("SERVICE_KEY") {
      return FieldError(.serviceKeyRefused, "\(words); check the key and what it is registered for")
    }
    if number == 3 { return FieldError(.noConditions, words) }
    return FieldError(.conditionsRefused, words)
  }

  /// The beginning of a body that is markup; nil for another.
  private static func markup(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes.prefix(8192), as: UTF8.self).tidy
    return text.hasPrefix("<") ? text : nil
  }

  private static func element(_ name: String, of text: String) -> String? {
    guard let open = text.firstRange(of: "<\(name)>") else { return nil }
    let content = text[open.upperBound...].prefix { $0 != "<" }.tidy
    return content.isEmpty ? nil : content
  }
}
