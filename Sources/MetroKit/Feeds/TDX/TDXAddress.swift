internal import FieldCore
internal import FieldFoundation

enum TDXAddress {
  static var present: URL { URL(literal: "https://tdx.transportdata.tw/api/basic/v2/Rail/Metro") }

  /// Returns `{base}/{resource}/{operator}?$format=JSON`.
  static func url(_ base: URL, _ resource: String, _ operatorCode: String) throws -> URL {
    var root = base.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    let text = "\(root)/\(resource)/\(PercentEncoding.segment(operatorCode))"
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw FieldError(.invalidInput, "\(base.absoluteString) can't be the URL of TDX.")
    }
    return try PercentEncoding.url(url, adding: [("$format", "JSON")])
  }
}
