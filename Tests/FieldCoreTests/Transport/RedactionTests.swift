import FieldCore
import Foundation
import Testing

@Suite("Redaction")
struct RedactionTests {
  @Test(
    "redaction hides fields with credentials",
    arguments: [
      "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-App-Token", "X-API-Key",
      "x-amz-security-token", "X-Firebase-AppCheck-Token", "Api-Key", "X-Client-Secret",
      "X-Auth-Key", "X-JWT", "X-Amzn-Oidc-Jwt", "Bearer", "X-Bearer", "X-OTP", "otp",
      "X-GitHub-OTP", "x-functions-key", "Ocp-Apim-Subscription-Key", "X-Master-Key", "DPoP",
      "x-amz-server-side-encryption-customer-key", "X-Passcode", "X-Hub-Hmac",
      "X-Firebase-AppCheck",
      "X-Goog-Upload-URL", "X-Goog-Upload-Control-URL", "X-GUploader-UploadID", "X-CSRF",
      "X-Token\u{301}",
    ])
  func hiddenFields(name: String) {
    #expect(Redaction.default.redact([name: "hunter2"])[name] == "***")
  }

  @Test(
    "redaction shows useful fields",
    arguments: [
      "Accept", "Content-Type", "ETag", "If-None-Match", "Retry-After", "X-Amz-Request-Id", "Date",
      "X-SODA2-Truth-Last-Modified", "X-Footprint", "Hotplug", "Ping", "Surrogate-Key",
      "X-Option", "X-Goog-Upload-Offset", "X-Goog-Upload-Status", "X-Goog-Generation",
    ])
  func shownFields(name: String) {
    #expect(Redaction.default.redact([name: "value"])[name] == "value")
  }

  @Test("redaction keeps every field, its name, and its position")
  func order() {
    var fields: HTTPHeaderFields = ["A": "1", "Set-Cookie": "x"]
    fields.add("y", to: "set-cookie")
    fields.add("2", to: "B")
    let shown = Redaction.default.redact(fields)
    #expect(shown.map(\.name) == ["A", "Set-Cookie", "set-cookie", "B"])
    #expect(shown.map(\.value) == ["1", "***", "***", "2"])
  }

  @Test(
    "redaction hides secrets in URLs and nothing else",
    arguments: [
      ("http://a.test/p?token=x&q=y", "http://a.test/p?token=***&q=y"),
      ("http://a.test/p?q=y&%24%24app_token=x", "http://a.test/p?q=y&%24%24app_token=***"),
      ("http://a.test/p?app%5Ftoken=x", "http://a.test/p?app%5Ftoken=***"),
      ("http://a.test/p?APP_TOKEN=x=y", "http://a.test/p?APP_TOKEN=***"),
      ("http://a.test/p?key=x&keyword=y", "http://a.test/p?key=***&keyword=y"),
      ("http://a.test/p?appid=x&serviceKey=x", "http://a.test/p?appid=***&serviceKey=***"),
      (
        "http://a.test/p?X-Amz-Signature=x&X-Amz-Credential=x&X-Amz-Date=y",
        "http://a.test/p?X-Amz-Signature=***&X-Amz-Credential=***&X-Amz-Date=y"
      ),
      (
        "http://a.test/o?upload_id=x&uploadId=x&upload_protocol=resumable",
        "http://a.test/o?upload_id=***&uploadId=***&upload_protocol=resumable"
      ),
      (
        "http://a.test/o?X-Goog-Signature=x&X-Goog-Credential=x&GoogleAccessId=x&Expires=1",
        "http://a.test/o?X-Goog-Signature=***&X-Goog-Credential=***&GoogleAccessId=***&Expires=1"
      ),
      ("http://a.test/o?sv=x&sig=x&sr=b", "http://a.test/o?sv=***&sig=***&sr=b"),
      (
        "http://a.test/p?client_secret=x&password=x",
        "http://a.test/p?client_secret=***&password=***"
      ),
      (
        "http://a.test/p?jwt=x&otp=1&bearer=x&pin=1",
        "http://a.test/p?jwt=***&otp=***&bearer=***&pin=***"
      ),
      (
        "http://a.test/p?sms_otp=x&footprint=y&spin=z",
        "http://a.test/p?sms_otp=***&footprint=y&spin=z"
      ),
      ("http://a.test/p?token=&token", "http://a.test/p?token=&token"),
      ("http://a.test/p?a=1#access_token=x", "http://a.test/p?a=1#access_token=***"),
      ("http://a.test/p#token=x?sig=x", "http://a.test/p#token=***"),
      ("http://u:x@a.test/p", "http://***@a.test/p"),
      ("http://x@a.test:80", "http://***@a.test:80"),
      ("http://a.test/@user", "http://a.test/@user"),
      ("http://a.test?mail=a@b.test", "http://a.test?mail=a@b.test"),
      ("http://a.test/p?a=1&&b=2", "http://a.test/p?a=1&&b=2"),
      ("/relative?token=x", "/relative?token=***"),
      ("http://a.test/p?next=http://b.test/?token=x&q=y", "http://a.test/p?next=***&q=y"),
      ("http://a.test/p?next=http%3A%2F%2Fb.test%2F%3Ftoken%3Dx", "http://a.test/p?next=***"),
      ("http://a.test/p?next=/q%3Fr=y", "http://a.test/p?next=/q%3Fr=y"),
    ])
  func addresses(text: String, shown: String) throws {
    #expect(Redaction.default.redact(try #require(URL(string: text))) == shown)
  }

  @Test(
    "redaction hides secrets of all URLs in a text",
    arguments: [
      ("GET https://u:pa,s(s@a.test/p failed", "GET https://***@a.test/p failed"),
      ("to https://a.test/?token=ab(cd;e, q", "to https://a.test/?token=*** q"),
      ("(https://a.test/,https://u:p@b.test/)", "(https://a.test/,https://***@b.test/)"),
      (#"{"url":"https://a.test/?sig=x","n":1}"#, #"{"url":"https://a.test/?sig=***","n":1}"#),
      ("mail a@b.test? no", "mail a@b.test? no"),
      (
        "https:///u:p@\u{301}a.test/?\u{301}token=\u{301}x q",
        "https:///***@\u{301}a.test/?\u{301}token=*** q"
      ),
    ])
  func texts(text: String, shown: String) throws {
    #expect(Redaction.default.redact(text: text) == shown)
    let error = FieldError(.transport, text, problems: ["first \(text)"])
    #expect(error.errorDescription == "\(shown): first \(shown)")
    let decoded = try JSONDecoder().decode(FieldError.self, from: JSONEncoder().encode(error))
    #expect(decoded.message == shown)
    #expect(decoded.problems == ["first \(shown)"])
  }

  @Test(
    "redaction hides secrets in URLs that are nested or repeated thousands of times",
    arguments: [
      ("//", 100_000, "u:hunter2@a.test"), ("//a@", 100_000, "b.test"),
      ("?a=", 100_000, "?token=hunter2"), ("?token&", 100_000, "#token=hunter2"),
      ("?a=http%3A//", 20_000, "u:hunter2@b.test"), ("#", 100_000, "token=hunter2"),
    ])
  func hostile(part: String, count: Int, end: String) {
    let text = "http://a.test/" + String(repeating: part, count: count) + end
    #expect(!Redaction.default.redact(text: text).contains("hunter2"))
  }

  @Test("redaction hides values in which URLs are nested too deeply to look for secrets")
  func deep() {
    let address = String(repeating: "/?a=", count: 7) + "/?b=1"
    #expect(Redaction.default.redact(text: address) == address)
    #expect(Redaction.default.redact(text: "/?a=" + address) == "/?a=***")
  }

  @Test("redaction compares names with many combining marks in time")
  func marks() {
    let name = "token" + String(repeating: "%CD%9A%CD%85", count: 100_000)
    // A mark after a word of secrets doesn't make it another one.
    #expect(Redaction.default.redact(text: "/?\(name)=x").hasSuffix("=***"))
  }

  private struct Cause: Error {
    var request: TransportRequest
    var note: String
  }

  /// The output of `dump` and the other ways to print a value.
  private func shown(_ value: Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text + "\(value)" + String(describing: value) + String(reflecting: value)
  }

  @Test("redaction hides secrets of errors, requests, and responses from dump and interpolation")
  func dumping() throws {
    let url = try #require(URL(string: "https://me:hunter2@a.test/p?token=hunter2&q=shown"))
    var fields: HTTPHeaderFields = ["Authorization": "Bearer hunter2", "Accept": "shown"]
    fields.add("id=hunter2", to: "Set-Cookie")
    let request = TransportRequest(
      .post, url: url, fields: fields, body: .bytes(Array("password=hunter2".utf8)),
      operation: "shown")
    let response = TransportResponse(
      status: 401, fields: fields, url: url, body: .bytes(Array("hunter2".utf8)))
    let cause = FieldError(
      .transport, "GET \(url.absoluteString) failed, shown",
      underlying: Cause(request: request, note: "to https://a.test/?jwt=hunter2, shown"))
    let error = FieldError(
      .status, "shown", problems: ["\(url)"], response: response.head, underlying: cause)
    let bytes = "\(Array("hunter2".utf8))".dropFirst().dropLast()
    for value in [
      request, response, response.head, fields, error, Result<Int, any Error>.failure(error),
    ]
      as [Any]
    {
      let text = shown(value)
      #expect(!text.contains("hunter2"), "\(type(of: value)): \(text)")
      #expect(!text.contains(bytes))
      #expect(text.contains("shown"))
    }
  }

  @Test("redaction accepts additional names, in any case")
  func further() throws {
    var redaction = Redaction.default
    redaction.queryNames.insert("Visitor")
    redaction.fieldNames.insert("x-visitor")
    let url = try #require(URL(string: "http://a.test/?visitor=x&token=x"))
    #expect(redaction.redact(url) == "http://a.test/?visitor=***&token=***")
    #expect(redaction.redact(["X-Visitor": "x"])["X-Visitor"] == "***")
  }

  @Test("redaction hides users and passwords even if it hides nothing else")
  func nothing() throws {
    let url = try #require(URL(string: "http://u:p@a.test/?token=x"))
    #expect(Redaction().redact(url) == "http://***@a.test/?token=x")
    #expect(Redaction().redact(text: "at http://u:p@q@a.test/") == "at http://***@a.test/")
  }
}
