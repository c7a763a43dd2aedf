import FieldCore
import Foundation
import Testing

@Suite("Redaction")
struct RedactionTests {
  @Test(
    "hides fields with credentials",
    arguments: [
      "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-App-Token", "X-API-Key",
      "x-amz-security-token", "X-Firebase-AppCheck-Token", "Api-Key", "X-Client-Secret",
      "X-Auth-Key",
    ])
  func hiddenFields(name: String) {
    #expect(Redaction.default.redact([name: "hunter2"])[name] == "***")
  }

  @Test(
    "shows useful fields",
    arguments: [
      "Accept", "Content-Type", "ETag", "If-None-Match", "Retry-After", "X-Amz-Request-Id", "Date",
      "X-SODA2-Truth-Last-Modified",
    ])
  func shownFields(name: String) {
    #expect(Redaction.default.redact([name: "value"])[name] == "value")
  }

  @Test("keeps every field, its name, and its position")
  func order() {
    var fields: HTTPHeaderFields = ["A": "1", "Set-Cookie": "x"]
    fields.add("y", to: "set-cookie")
    fields.add("2", to: "B")
    let shown = Redaction.default.redact(fields)
    #expect(shown.map(\.name) == ["A", "Set-Cookie", "set-cookie", "B"])
    #expect(shown.map(\.value) == ["1", "***", "***", "2"])
  }

  @Test(
    "hides secrets in URLs and nothing else",
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
        "http://a.test/p?client_secret=x&password=x",
        "http://a.test/p?client_secret=***&password=***"
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
    ])
  func addresses(text: String, shown: String) throws {
    #expect(Redaction.default.redact(try #require(URL(string: text))) == shown)
  }

  @Test("accepts additional names, in any case")
  func further() throws {
    var redaction = Redaction.default
    redaction.queryNames.insert("Visitor")
    redaction.fieldNames.insert("x-visitor")
    let url = try #require(URL(string: "http://a.test/?visitor=x&token=x"))
    #expect(redaction.redact(url) == "http://a.test/?visitor=***&token=***")
    #expect(redaction.redact(["X-Visitor": "x"])["X-Visitor"] == "***")
  }

  @Test("hides users and passwords even if it hides nothing else")
  func nothing() throws {
    let url = try #require(URL(string: "http://u:p@a.test/?token=x"))
    #expect(Redaction().redact(url) == "http://***@a.test/?token=x")
  }
}
