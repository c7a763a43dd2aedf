import FieldCore
import TestSupport
import Testing

@Suite("Stream-safe texts")
struct StreamSafeTests {
  private struct Note: RowRecord {
    static let rowColumns = [RowColumn("id"), RowColumn("text")]
    static let rowKey = 0
    var id: String
    var text: String

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("the row has no ID") }
      self.id = id
      text = row.text(1) ?? ""
    }
  }

  /// Swift sorts these by their classes, which alternate, so that sorting has much to do.
  private static let run = String(repeating: "\u{35A}\u{345}", count: 1_000)

  @Test(
    "stream-safe texts have at most 30 combining marks in a row, and otherwise the same scalars")
  func marks() {
    let text = "é" + Self.run + "猫" + Self.run
    let safe = text.streamSafe
    #expect(Self.longestRun(safe) == 30)
    #expect(safe.unicodeScalars.filter { $0 != "\u{34F}" }.elementsEqual(text.unicodeScalars))
    #expect(safe.count == text.count)
    #expect(safe.streamSafe.utf8.elementsEqual(safe.utf8))
  }

  @Test(
    "stream-safe texts stay as they are if they are short or have few marks after each other",
    arguments: [
      "", String(run.unicodeScalars.prefix(512)), String(repeating: "台北市立動物園", count: 500),
      String(repeating: "e" + String(repeating: "\u{301}", count: 30), count: 100),
    ])
  func sameText(text: String) {
    #expect(text.streamSafe.utf8.elementsEqual(text.utf8))
  }

  @Test("stream-safe texts are what JSON for other decoders has, also in its keys")
  func json() throws {
    let escaped = String(repeating: #"\u035a\u0345"#, count: 1_000)
    let text = #"{"\#(Self.run)":["\#(Self.run)\"\\","\#(escaped)",1,"猫\n",""]}"#
    let body = Array("\u{FEFF}\(text)".utf8)
    let safe = try JSONDocument.streamSafe(body)
    #expect(Self.longestRun(String(decoding: safe, as: UTF8.self)) == 30)
    #expect(try JSONDocument.value(safe) == JSONDocument.value(body))
    #expect(try JSONDocument.streamSafe(safe) == safe)
    let short = Array(#"{"é\u0301":["\ud83d\ude00\/", "a"]}"#.utf8)
    #expect(try JSONDocument.streamSafe(short) == short)
    #expect(throws: FieldError.self) { try JSONDocument.streamSafe(body.dropLast()) }
  }

  @Test(
    "stream-safe texts are what rows have, in any format",
    arguments: [
      "id,text\n@,1\n", "id,text\n1,@\n", "id,text\n1,\"\"\"@\"\n", "id,text,@\n1,a,b\n",
      "id,text,\"\"\"@\"\n1,a,b\n", #"[{"id":"@"}]"#, #"[{"id":1,"text":"\n@"}]"#,
      #"[{"id":1,"@":2}]"#, "{\"id\":1,\"\\n@\":2}\n{\"id\":2}\n",
      #"[{"id":"%","%":1}]"#, #"[{"id":1,"text":"%"}]"#,
    ])
  func rows(body: String) throws {
    let body = body.replacing("@", with: Self.run)
      .replacing("%", with: String(repeating: #"\u035a\u0345"#, count: 1_000))
    let batch = try RowReader.read(Array(body.utf8), as: Note.self)
    #expect(!batch.records.isEmpty)
    for note in batch.records {
      #expect(Self.longestRun(note.id) <= 30)
      #expect(Self.longestRun(note.text) <= 30)
    }
    for name in batch.unknownColumns { #expect(Self.longestRun(name) <= 30) }
  }

  private static func longestRun(_ text: String) -> Int {
    var (count, longest) = (0, 0)
    for scalar in text.unicodeScalars {
      count = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
      longest = max(longest, count)
    }
    return longest
  }
}
