internal import FieldCore

/// An error of data.go.kr: a number and a word, as XML from the gateway or as JSON from the
/// service.
struct GatewayRefusal {
  var code: String
  var reason: String
}

extension GatewayRefusal {
  /// Finds the error in an XML document such as
  /// `<OpenAPI_ServiceResponse><cmmMsgHeader><returnAuthMsg>…`; `nil` if the body isn't one.
  ///
  /// The relevant elements are flat and contain only text, so they are searched for literally. No
  /// content of the document can make this read more than that.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes.prefix(8192), as: UTF8.self).tidy
    func element(_ name: String) -> String? {
      guard let rest = text.suffix(afterBytesOf: "<\(name)>") else { return nil }
      let content = rest.prefix { $0 != "<" }.tidy
      return content.isEmpty ? nil : content
    }
    guard text.hasPrefix("<"),
      let reason = element("returnAuthMsg") ?? element("resultMsg") ?? element("errMsg")
    else { return nil }
    self.reason = reason
    code = element("returnReasonCode") ?? element("resultCode") ?? "?"
  }

  /// The error to throw.
  ///
  /// The numbers are those of data.go.kr's guide: 20 through 22 and 30 through 33 concern the key
  /// and how often it was used.
  var error: FieldError {
    let words = "data.go.kr responded with \(code): \(reason.prefix(200))."
    let number = Int(code) ?? -1
    if number == 22 || number == 23 || reason.contains(bytesOf: "LIMITED_NUMBER") {
      return FieldError(.tooManyRequests, "\(words) The key's calls for today are used up.")
    }
    if [20, 21, 30, 31, 32, 33].contains(number) || reason.contains(bytesOf: "SERVICE_KEY") {
      return FieldError(.serviceKeyRefused, "\(words) Check the key and what it is registered for.")
    }
    if number == 3 { return FieldError(.noConditions, words) }
    return FieldError(.conditionsRefused, words)
  }
}
