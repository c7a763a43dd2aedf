import FieldCore
import TestSupport
import Testing

@Suite("JSON with something around it")
struct WrappedJSONTests {
  private static let ends = ["", "\n", "\u{1A}", "\r\n\u{1A}\u{1A}\r\n"]

  @Test(
    "JSON has the same rows after marks, in the call of a function, and before a Ctrl-Z",
    arguments: [
      ("\u{FEFF}\u{FEFF}", ""), ("\r\n\u{FEFF} \u{FEFF}\n", ""), (")]}',\n", ""), (")]}'", ""),
      ("callback(", ")"), ("/**/jQuery1_2.done( ", " );"), ("\u{FEFF}$_(\n", ")\n;\n"), ("cb(", ""),
    ])
  func around(_ beginning: String, _ end: String) throws {
    for (format, text) in SmallBody.all where format != .csv {
      for last in Self.ends {
        let batch = try stones(beginning + text + end + last)
        #expect(batch.records == SmallBody.rows, "\(format)")
        #expect(batch.format == format)
      }
    }
  }

  @Test(
    "JSON with something around it is truncated if it ends in the middle",
    arguments: ["cb(", ")]}'\n", "\u{FEFF}\u{FEFF}"])
  func cut(_ beginning: String) {
    let text = SmallBody.array
    for length in 1..<text.count {
      #expect(code { _ = try stones(beginning + text.prefix(length)) } == .cut, "\(length)")
    }
  }

  @Test(
    "JSON with something around it isn't JSON if the beginning is something else",
    arguments: [
      "cb[{\"id\":1}]", "a b([{\"id\":1}])", "([{\"id\":1}])", "cb(\"x\")", "cb(", ")]}'",
    ])
  func others(_ text: String) {
    #expect(code { _ = try stones(text) } == .unknownFormat)
  }

  @Test(
    "JSON with something around it has the rows of the array that has some",
    arguments: [
      (#"{"results":[],"data":[{"id":1}]}"#, ["data"]),
      (#"{"result":{"records":[]},"items":[{"id":1}]}"#, ["items"]),
      (#"{"data":["x"],"rows":[{"id":1}]}"#, ["rows"]),
      (#"{"columns":[{"title":"a long one"},{"title":"another"}],"all":[{"id":1}]}"#, ["all"]),
      (#"{"types":[{"id":7,"name":"x"}],"all":[{"id":1},{"id":1,"name":"a long one"}]}"#, ["all"]),
      (#"{"results":[{"took":1}],"data":[{"id":1}]}"#, ["data"]),
    ])
  func envelopes(_ text: String, _ path: [String]) throws {
    let batch = try stones(text)
    #expect(batch.format == .envelope(path: path))
    #expect(Set(batch.records.map(\.id)) == ["1"])
  }

  @Test(
    "JSON has no rows if the array named for rows is empty, and others hold something else",
    arguments: [
      #"{"result":{"fields":[{"id":"_id","type":"int"}],"records":[ ]}}"#,
      #"{"result":{"records":[],"items":[{"href":"next"}]}}"#,
    ])
  func empty(_ text: String) throws {
    let batch = try stones(text)
    #expect(batch.format == .envelope(path: ["result", "records"]))
    #expect(batch.rowCount == 0)
  }

  @Test(
    "JSON with something around it has the body's own offsets in messages",
    arguments: ["", "cb(", ")]}'\n", "\u{FEFF}\u{FEFF}"])
  func offsets(_ beginning: String) {
    let error = #expect(throws: FieldError.self) { try stones(beginning + "{\"a\":1} x") }
    #expect(error?.message.contains("byte \(beginning.utf8.count + 8)") == true)
  }

  @Test(
    "JSON with something around it is read in the string element of .NET",
    arguments: [
      #"<string xmlns="http://tempuri.org/">[{"id":"a&amp;b"},{"id":"2"}]</string>"#,
      """
      \u{FEFF}<?xml version="1.0" encoding="utf-8"?>
      <string xmlns="http://tempuri.org/">
        [{&quot;id&quot;:&#x22;a&#38;b&#34;},{"id":"2"}]
      </string>

      """,
      #"<string><![CDATA[[{"id":"a&b"},{"id":"2"}]]]></string>"#,
      "<string>{&quot;rows&quot;:[{\"id\":\"a&amp;b\"},{\"id\":\"2\"}]}</string>",
    ])
  func element(body: String) throws {
    #expect(try stones(body).records.map(\.id) == ["a&b", "2"])
  }

  @Test(
    "JSON with something around it is cut off in the string element of .NET if its end is missing")
  func cutElement() {
    let text = #"<string>[{"id":"1"},{"id":"2"}]</string>"#
    for count in 9..<(text.utf8.count - 9) {
      #expect(code { _ = try stones(String(text.prefix(count))) } == .cut, "\(count)")
    }
  }

  @Test(
    "JSON with something around it isn't looked for in other documents",
    arguments: [
      "<string>Access denied</string>", "<strings>[{\"id\":1}]</strings>",
      "<string><b>[{\"id\":1}]</b></string>", "<string/>", "<string", "<?xml",
      "<p>[{\"id\":1}]</p>",
    ])
  func otherElements(body: String) {
    #expect(code { _ = try stones(body) } == .notData)
  }
}
