import FieldCore
import TestSupport
import Testing

@Suite("Invalid UTF-8")
struct RowEncodingTests {
  /// Replaces every `~` by a byte that is no UTF-8.
  private func bad(_ text: String) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: "~") ? 0xE9 : $0 }
  }

  @Test(
    "invalid UTF-8 fails its row and no other, in any column, a nested value, and a key",
    arguments: [
      #"{"id":"~"}"#, #"{"id":"2","x":"a~b"}"#, #"{"id":2,"x":{"y":["~"]}}"#, #"{"id":2,"~":1}"#,
      #"{"id":2,"x":{"~":0}}"#, #"{"id":2,"x":"\ud800"}"#, #"{"id":2,"x":"\udc00\ud800"}"#,
      #"{"id":2,"x":"\ud83dx"}"#, #"{"\ud83d":1}"#,
    ])
  func oneRow(_ row: String) throws {
    for format in [RowFormat.jsonArray, .ndjson] {
      let lines = ["{\"id\":1}", row, "{\"id\":3}", row, "{\"id\":\"é\"}"]
      let text =
        format == .ndjson
        ? lines.joined(separator: "\n") : "[" + lines.joined(separator: ",") + "]"
      let batch = try RowReader.read(bad(text), as: RowStone.self)
      #expect(batch.records.map(\.id) == ["1", "3", "é"])
      #expect(batch.failures.map(\.index) == [1, 3])
    }
  }

  @Test("invalid UTF-8 fails its row in CSV, GeoJSON, and rows.json")
  func otherFormats() throws {
    let csv = try RowReader.read(bad("id,x\n1,a\n2,~\n3,b\n4,石\n"), as: RowStone.self)
    #expect(csv.records.map(\.id) == ["1", "3", "4"])
    let positional = try RowReader.read(
      bad(
        #"{"data":[["1",""],["2","~"],["3","é"]],"meta":{"view":{"columns":[{"fieldName":"id"},{"fieldName":"x"}]}}}"#
      ), as: RowStone.self)
    #expect(positional.records.map(\.id) == ["1", "3"])
    let geoJSON = try RowReader.read(
      bad(
        #"{"features":[{"id":1},{"id":2,"x":"~"},{"id":3,"properties":{"a":"é"}}]}"#),
      as: RowStone.self)
    #expect(geoJSON.records.map(\.id) == ["1", "3"])
  }

  @Test("invalid UTF-8 outside strings, and in strings outside rows, fails the body")
  func body() {
    #expect(code { _ = try RowReader.read(bad(#"[{"id":1},~]"#), as: RowStone.self) } == .encoding)
    #expect(
      code { _ = try RowReader.read(bad(#"[{"id":"é"},~]"#), as: RowStone.self) } == .malformed)
    #expect(
      code { _ = try RowReader.read(bad(#"{"x":"~","data":[{"id":1}]}"#), as: RowStone.self) }
        == .encoding)
    #expect(
      code { _ = try RowReader.read(bad(#"{"data":[{"id":1}],"x":"~"}"#), as: RowStone.self) }
        == .encoding)
  }

  @Test("invalid UTF-8 in three rows without valid text beyond ASCII is another encoding")
  func another() throws {
    let ascii = (0..<100).map { "{\"id\":\($0)}" }
    func code(_ lines: [String]) -> FieldError.Code? {
      FieldCoreTests.code {
        _ = try RowReader.read(bad(lines.joined(separator: "\n")), as: RowStone.self)
      }
    }
    let wrong = #"{"id":"~"}"#
    #expect(code(ascii + [wrong, wrong]) == nil)
    #expect(code(ascii + [wrong, wrong, wrong]) == .encoding)
    #expect(code(ascii + [wrong, wrong, wrong, #"{"id":"é"}"#]) == nil)
    #expect(code([wrong]) == .encoding)
    #expect(code(ascii.prefix(1) + [wrong]) == nil)
    #expect(code(ascii.prefix(1) + [wrong, wrong]) == .encoding)
  }

  @Test("text in Big5 and Windows-1251 is named as another encoding, with backslashes or without")
  func realEncodings() throws {
    // 許功蓋 in Big5: three characters whose second byte is a backslash.
    let big5: [UInt8] = [0xB3, 0x5C, 0xA5, 0x5C, 0xBB, 0x5C]
    let cyrillic: [UInt8] = [0xCA, 0xE0, 0xEC, 0xE5, 0xED, 0xFC]
    for name in [big5, cyrillic] {
      let json = Array("[{\"id\":1,\"name\":\"".utf8) + name + Array("x\"}]".utf8)
      #expect(code { _ = try RowReader.read(json, as: RowStone.self) } == .encoding)
      let csv = Array("id,name\n1,".utf8) + name + Array("\n2,".utf8) + name + Array("\n".utf8)
      #expect(code { _ = try RowReader.read(csv, as: RowStone.self) } == .encoding)
      #expect(code { _ = try RowReader.read(name + csv, as: RowStone.self) } == .encoding)
    }
  }
}
