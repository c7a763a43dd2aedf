import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

/// Rows in the encodings of older files.
@Suite("Rows in Big5, GB 18030, and Windows-1252")
struct RowCharsetTests {
  struct Stop: CatalogRecord, RowReadable, Hashable {
    static let columns = [RowColumn("id", "編號", "编号"), RowColumn("name", "站名", "名称")]
    let id: String
    let name: String?

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The stop has no number.") }
      (self.id, name) = (id, row.text(1))
    }
  }

  static let names = ["台南車站", "許功蓋", "成功大學", "赤崁樓", "億載金城"]
  static let csv =
    "編號,站名\n" + names.enumerated().map { "\($0),\"\($1)\"\n" }.joined()

  static func big5(_ text: String) throws -> [UInt8] { try #require(Big5.bytes(text)) }

  /// 编号, 名称, and two lines, in GB 2312.
  static let gb2312: [UInt8] =
    [0xB1, 0xE0, 0xBA, 0xC5, 0x2C, 0xC3, 0xFB, 0xB3, 0xC6, 0x0A, 0x31, 0x2C]
    + [0xD6, 0xD0, 0xD0, 0xC4, 0xB3, 0xB5, 0xD5, 0xBE, 0x0A, 0x32, 0x2C]
    + [0xCE, 0xF7, 0xBB, 0xAA, 0xC3, 0xC5, 0x0A]

  static func page(_ bytes: [UInt8], _ charset: String? = nil) throws -> Batch<Stop> {
    let fields: HTTPHeaderFields =
      charset.map { ["Content-Type": "text/csv; charset=\($0)"] } ?? [:]
    return try Batch<Stop>(
      reading: TransportResponse(status: 200, fields: fields, body: .bytes(bytes)))
  }

  static func names(_ bytes: [UInt8], _ charset: String? = nil) throws -> [String?] {
    try page(bytes, charset).records.map(\.name)
  }

  @Test(
    "rows are read in the encoding that the bytes show, whatever the header says",
    arguments: [nil, "big5", "\"Big5\"", "utf-8", "ISO-8859-1", "cp950"])
  func big5(charset: String?) throws {
    let bytes = try Self.big5(Self.csv)
    #expect(try Self.names(bytes, charset) == Self.names)
    #expect(try Batch<Stop>(reading: bytes).records.map(\.name) == Self.names)
    let json = try Self.big5(#"[{"id":1,"name":"許功蓋路"},{"id":2,"name":"台南車站"}]"#)
    #expect(try Self.names(json, charset) == ["許功蓋路", "台南車站"])
  }

  @Test(
    "rows are read in GB 2312 if the header or the bytes say so", arguments: [nil, "GB2312", "gbk"])
  func gb2312(charset: String?) throws {
    #expect(try Self.names(Self.gb2312, charset) == ["中心车站", "西华门"])
  }

  @Test("rows are read in an encoding that only a header can name")
  func declared() throws {
    #expect(try Self.names(Array("id,name\n1,".utf8) + [0xB3, 0x5C, 0x0A], "big5") == ["許"])
    // Both bytes are UTF-8 as well, for a point.
    #expect(try Self.names(Array("id,name\n1,".utf8) + [0xC2, 0xB7, 0x0A], "gb2312") == ["路"])
    let latin = Array("id,name\n1,Caf".utf8) + [0xE9, 0x0A, 0x32, 0x2C, 0x93, 0x94, 0x0A]
    #expect(try Self.names(latin, "iso-8859-1") == ["Café", "“”"])
    #expect(code { _ = try Self.page(latin, "windows-1251") } == .encoding)
  }

  @Test(
    "rows stay UTF-8 if they are, whatever the header says",
    arguments: ["big5", "gb18030", "iso-8859-1", "euc-kr"])
  func utf8(charset: String) throws {
    #expect(try Self.names(Array(Self.csv.utf8), charset) == Self.names)
    let marked = [0xEF, 0xBB, 0xBF] + Array("id,name\n1,路\n".utf8)
    #expect(try Self.names(marked, charset) == ["路"])
    let damaged = Array(Self.csv.utf8) + Array("9,".utf8) + [0xB3, 0x5C, 0x0A]
    let page = try Self.page(damaged, charset)
    #expect(page.records.map(\.name) == Self.names)
    #expect(page.failures.map(\.index) == [5])
  }

  @Test("rows fail alone, and say why, where the encoding doesn't define their bytes")
  func damage() throws {
    let bytes = try Self.big5(Self.csv) + Array("8,\"".utf8) + [0x81, 0x22] + Array("\n".utf8)
    let page = try Self.page(bytes)
    #expect(page.records.map(\.name) == Self.names)
    #expect(page.failures.map(\.index) == [5])
    #expect(page.failures.first?.reason.contains("Big5 doesn't define") == true)
  }

  @Test("rows in Big5, GB 18030, and Windows-1252 are read by a catalog")
  func catalog() async throws {
    let bytes = try Self.big5(Self.csv)
    let transport = StubTransport {
      $0.on("stops.rows") { _ in
        TransportResponse(
          status: 200, fields: ["Content-Type": "text/csv; charset=big5"], body: .bytes(bytes))
      }
    }
    let stops = Catalog<Stop>(
      "stops", at: URL(literal: "https://example.org/stops"), storage: .inMemory,
      transport: transport, clock: ManualClock())
    let report = try await stops.refresh()
    #expect(report.failures == [])
    #expect(try await stops.view().all.compactMap(\.name).sorted() == Self.names.sorted())
  }

  @Test(
    "rows in Big5, GB 18030, and Windows-1252 have the text that Python reads",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: ["cp950", "big5hkscs", "gbk", "gb18030"])
  func sameAsPython(codec: String) throws {
    let simplified = codec.hasPrefix("g")
    let common =
      simplified
      ? "中心车站，西华门：在上海有一座新的图书馆，学校和医院也在这条路上。"
      : "台南車站，成功大學：在府城有一座新的圖書館，學校與醫院也在這條路上。"
    let rare = ["gbk": "錕镕囍", "gb18030": "㐀𠀀é", "cp950": "恒裏粧", "big5hkscs": "㗎嘅𠺝"][codec] ?? ""
    let script = """
      import sys
      sys.stdout.buffer.write(sys.stdin.buffer.read().decode('utf-8').encode('\(codec)'))
      """
    let text = "id,name\n1,\(common)\n2,\(common)\(rare)\n"
    let bytes = Array(try Tool.run("python3", "-c", script, input: Data(text.utf8)))
    for charset in [nil, codec] {
      #expect(try Self.names(bytes, charset) == [common, common + rare], "\(charset ?? "none")")
    }
  }

  @Test(
    "rows aren't taken for Chinese if they are in another encoding of Asia or Europe",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: [
      ("euc_jp", "東京都千代田区丸の内一丁目の駅と公園の一覧、名称と住所"), ("euc_kr", "서울특별시 종로구 세종대로 역과 공원의 목록"),
      ("shift_jis", "東京都千代田区丸の内一丁目の駅と公園の一覧、名称と住所"),
      ("cp1251", "Московская область, список станций и парков, название и адрес"),
      ("koi8_r", "Московская область, список станций и парков, название и адрес"),
      ("cp1253", "Κατάλογος σταθμών και πάρκων της Αθήνας"),
      ("cp1252", "Düsseldorf, Köln, São Paulo, Málaga, Besançon, Århus"),
    ])
  func foreign(codec: String, text: String) throws {
    let script = """
      import sys
      sys.stdout.buffer.write(sys.stdin.buffer.read().decode('utf-8').encode('\(codec)'))
      """
    let lines = (0..<5).map { "\($0),\"\(text)\"\n" }.joined()
    let bytes = Array(
      try Tool.run("python3", "-c", script, input: Data(("id,name\n" + lines).utf8)))
    #expect(code { _ = try Self.page(bytes) } == .encoding)
  }
}
