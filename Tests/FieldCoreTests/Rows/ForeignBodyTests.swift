import FieldCore
import TestSupport
import Testing

@Suite("Bodies without rows")
struct ForeignBodyTests {
  @Test(
    "bodies without rows are rejected with a code and a description",
    arguments: [
      ("", .emptyBody, "empty"), (" \r\n\t", .emptyBody, "blank"),
      ("\u{FEFF}", .emptyBody, "blank"),
      (
        "<!DOCTYPE html><html><head><title>Moved\n here</title>", .notData,
        "Expected rows but received an HTML page (Moved here)."
      ),
      ("  <HTML><body>x", .notData, "HTML page"),
      (
        "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
        .notData, "received an XML document: AccessDenied: Access Denied"
      ),
      (
        #"{"code":"permission_denied","error":true,"message":"Invalid app_token specified"}"#,
        .notData, "permission_denied: Invalid app_token specified"
      ),
      (
        #"{"message":"No such column","errorCode":"query.soql.no-such-column","data":{"column":"x"}}"#,
        .notData, "query.soql.no-such-column: No such column"
      ),
      (
        #"{"error":{"message":"Not found","__type":"Not Found Error"},"success":false}"#, .notData,
        "Not found"
      ),
      (#"{"error":true,"code":"x.y"}"#, .notData, "x.y"),
      (#"{"error":"gone"}"#, .notData, "gone"),
      ("{}", .unknownFormat, "without rows"), ("hello there", .notData, "hello there"),
      ("12", .unknownFormat, "12"), ("eqfeed = {\"id\":1}", .unknownFormat, "eqfeed"),
      ("{\"a\":1} x", .malformed, "byte 8"), ("{\"id\":1", .cut, "byte 7"),
    ] as [(String, FieldError.Code, String)])
  func text(_ text: String, _ code: FieldError.Code, _ words: String) {
    let error = failure { _ = try stones(text) }
    #expect(error?.code == code)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
  }

  @Test(
    "bodies without rows are rejected by their first bytes",
    arguments: [
      ([0x1F, 0x8B, 8, 0], .cut, "compressed with gzip, and is truncated"),
      ([0x50, 0x4B, 3, 4], .cut, "The archive ends before its directory."),
      ([0xFF, 0xFE, 0x5B, 0], .encoding, "UTF-16"), ([0xFE, 0xFF, 0, 0x5B], .encoding, "UTF-16"),
      ([0xFF, 0xFE, 0x61, 0, 0], .cut, "UTF-16"), ([0xFF, 0xFE, 0, 0], .encoding, "UTF-32"),
      ([0, 0, 0xFE, 0xFF], .encoding, ""), ([0xFF, 0xFE], .emptyBody, ""),
      ([0x5B, 0, 0x5D, 0], .encoding, "UTF-16"), ([0, 0x5B, 0, 0x5D], .encoding, "UTF-16"),
      ([0], .unknownFormat, ""), ([0xEF], .encoding, ""),
    ] as [([UInt8], FieldError.Code, String)])
  func bytes(_ bytes: [UInt8], _ code: FieldError.Code, _ words: String) {
    let error = failure { _ = try RowReader.read(bytes, as: RowStone.self) }
    #expect(error?.code == code)
    #expect(error?.message.contains(words) == true)
  }

  @Test(
    "documents are called HTML only if their first tag is one of HTML",
    arguments: [
      ("<Envelope><Head/><Body><Message>No</Message></Body></Envelope>", false),
      ("<?xml version='1.0'?><!-- <html> --><response><header/></response>", false),
      ("<!DOCTYPE response><response/>", false), ("<htmlish/>", false),
      ("<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0//EN'>", true),
      ("<!-- a --><HTML lang='zh'>", true), ("<h1>404</h1>", true), ("<body>", true),
    ])
  func markup(text: String, isPage: Bool) throws {
    let error = try #require(ForeignBody.markup(Array(text.utf8), insteadOf: "a feed"))
    #expect(error.message.contains("Expected a feed but received an "))
    #expect(error.message.contains("an HTML page") == isPage)
    #expect(error.message.contains("an XML document") == !isPage)
  }

  @Test(
    "bodies of plain text are called refusals",
    arguments: [
      ("Unauthorized", true), ("\u{FEFF} Access denied.\n", true), ("無權限", true),
      ("403 Forbidden", true), ("404: page not found\n", true), ("404", false), ("40x", false),
      ("{}", false), ("tru", false), ("null", false), ("NaN", false), ("12", false), ("", false),
      ("<html>", false), ("[x", false),
    ])
  func refusals(text: String, isText: Bool) {
    let bytes = Array(text.utf8)
    #expect((ForeignBody.plainText(bytes) != nil) == isText)
    let answer = TransportResponse(status: 200, body: .bytes(bytes))
    let error = failure {
      _ = try answer.reading(operation: "a") { try JSONDocument.value($0) }
    }
    if isText {
      #expect(error?.code == .notData)
      #expect(error?.message.contains("may have refused") == true)
    } else {
      #expect(error?.message.contains("refused") != true)
    }
  }

  @Test(
    "bodies of text where a table could be are refusals, whatever the columns",
    arguments: [
      ("Unauthorized", true), ("Forbidden\r\n", true), ("429 Too Many Requests", true),
      ("Rate limit exceeded, try again later; id=7", true), ("\n API key is missing.\n\n", true),
      ("Error\nThe API key is missing", true), ("金鑰無效", true), ("Forbidden (key 1)", true),
      ("Name of the place\nA hill\n", true), ("code\n7\n8\n", false), ("a,b\n1,2\n", false),
      ("place name\tx\na b\t1\n", false), ("var x = {}", false), ("run(1)", false),
    ])
  func refusedTable(text: String, isText: Bool) {
    let error = failure { _ = try stones(text) }
    #expect((error?.code == .notData) == isText, "\(error?.message ?? "no error")")
    #expect(error?.message.contains("may have refused") == isText)
  }

  @Test(
    "bodies of a word where JSON with rows should be are refusals, not truncated JSON",
    arguments: [
      ("Unauthorized", FieldError.Code.notData), ("Infinite", .notData), ("infini", .cut),
      ("Na", .cut), ("[{\"id\":Non", .cut), ("[Unauthorized", .cut), ("nope", .notData),
    ])
  func word(text: String, code: FieldError.Code) {
    for format in [RowFormat.jsonArray, .envelope(path: ["result"]), .geoJSON, .positionalJSON] {
      let error = failure {
        _ = try TransportResponse(status: 200, body: .text(text)).reading(operation: "a") {
          try RowReader.read($0, as: RowStone.self, format: format)
        }
      }
      #expect(error?.code == code, "\(format): \(error?.message ?? "no error")")
    }
  }

  @Test("bodies are tables if a line names a column, even if it is the only column")
  func tableOfOneColumn() throws {
    #expect(try stones("id\n").rowCount == 0)
    #expect(try stones("id\n7\n8").records.count == 2)
    #expect(try stones("Meteorites of today\nid\n7\n").records.count == 1)
  }

  @Test("bodies without rows are quoted without the secrets of their URLs")
  func quotedSecrets() {
    let error = failure { _ = try stones("No access to https://a.tw/?key=s3cr3t&x=1") }
    #expect(error?.message.contains("key=***&x=1") == true)
    let long = failure { _ = try stones("Denied " + String(repeating: "x ", count: 900)) }
    #expect(long?.code == .notData)
    #expect((long?.message.utf8.count ?? .max) < 400)
  }

  @Test(
    "bodies without rows are named if they are pages",
    arguments: [
      ("", nil), (" \n", nil), ("[]", nil), ("<", "an XML document"),
      ("\u{FEFF} <html><title>Moved</title>", "an HTML page (Moved)"),
    ])
  func pages(text: String, words: String?) {
    let title = ForeignBody.pageTitle(.bytes(Array(text.utf8)))
    #expect((title == nil) == (words == nil))
    if let words { #expect(title?.contains(words) == true, "\(title ?? "")") }
  }

  @Test("bodies without rows are rejected as errors even if the format is given")
  func formatGiven() {
    let text = #"{"error":true,"message":"no"}"#
    for format in [.jsonArray, .geoJSON, .positionalJSON, .envelope(path: ["data"])] as [RowFormat]
    {
      #expect(code { _ = try stones(text, format) } == .notData)
      #expect(code { _ = try stones("{\"a\":[]}", format) } == .schema)
    }
  }

  @Test("bodies without rows aren't a single row: an object with the key column is one")
  func singleRow() throws {
    #expect(
      try stones(#"{"id":"1","message":"hi","name":"A"}"#).records == [RowStone(id: "1", name: "A")]
    )
  }

  @Test(
    "envelopes aren't bodies without rows; they are found by name or by their longest array",
    arguments: [
      (#"{"resource":[{"id":1}]}"#, ["resource"]), (#"{"result":0,"data":[{"id":1}]}"#, ["data"]),
      (
        #"{"success":true,"result":{"fields":[{"id":"x"},{"id":"y"}],"records":[{"id":1}]}}"#,
        ["result", "records"]
      ),
      (#"{"url":"u","data":{"n":1,"__sample":[{"id":1}]}}"#, ["data", "__sample"]),
      (#"{"x":[1,2,3,4,5,6],"stones":[{"id":1}]}"#, ["stones"]),
    ])
  func envelopes(_ text: String, _ path: [String]) throws {
    let batch = try stones(text)
    #expect(batch.format == .envelope(path: path))
    #expect(batch.records.map(\.id) == ["1"])
  }
}
