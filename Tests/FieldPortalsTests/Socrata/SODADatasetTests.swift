import FieldCore
import FieldTesting
import Foundation
import FieldPortals
import TestSupport
import Testing

@Suite("A dataset's URL, cells, and description")
struct SODADatasetTests {
  @Test(
    "a dataset's ID and portal are found in any form of its URL",
    arguments: [
      ("https://data.example.org/resource/abcd-1234.json", "https://data.example.org", "2.1"),
      ("https://data.example.org/resource/abcd-1234", "https://data.example.org", "2.1"),
      ("http://127.0.0.1:8080/resource/abcd-1234.csv?$limit=5", "http://127.0.0.1:8080", "2.1"),
      ("http://[::1]:8080/resource/abcd-1234.json", "http://[::1]:8080", "2.1"),
      ("http://[2001:db8::1]/d/abcd-1234", "http://[2001:db8::1]", "2.1"),
      ("https://data.example.org/d/abcd-1234", "https://data.example.org", "2.1"),
      (
        "https://data.example.org/Public-Safety/Crimes/abcd-1234/about_data",
        "https://data.example.org", "2.1"
      ),
      ("https://data.example.org/api/views/abcd-1234/rows.json", "https://data.example.org", "2.1"),
      ("https://data.example.org/api/views/abcd-1234.json", "https://data.example.org", "2.1"),
      (
        "https://data.example.org/api/v3/views/abcd-1234/query.json", "https://data.example.org",
        "3.0"
      ),
      ("https://user:pass@data.example.org/d/abcd-1234#top", "https://data.example.org", "2.1"),
      (
        "https://dev.socrata.com/foundry/data.example.org/abcd-1234", "https://data.example.org",
        "2.1"
      ),
      (
        "https://dev.socrata.com/foundry/data.example.org:8443/abcd-1234",
        "https://data.example.org:8443", "2.1"
      ),
      (
        "https://dev.socrata.com/foundry/#/data.example.org/abcd-1234", "https://data.example.org",
        "2.1"
      ),
      (
        "https://data.example.org/w/abcd-1234/efgh-5678?cur=x&from=y", "https://data.example.org",
        "2.1"
      ),
      (
        "https://data.example.org/resource/abcd-1234/wxyz-9876.json", "https://data.example.org",
        "2.1"
      ),
      (
        "https://data.example.org/d/abcd-1234/revisions/efgh-5678", "https://data.example.org",
        "2.1"
      ),
      ("https://data.example.org/Permits/food-cart/abcd-1234", "https://data.example.org", "2.1"),
      ("https://data.example.org/dataset/food-cart/abcd-1234", "https://data.example.org", "2.1"),
    ])
  func addresses(text: String, portal: String, version: String) throws {
    let dataset = try SODADataset(try #require(URL(string: text)))
    #expect(dataset.id == "abcd-1234")
    #expect(dataset.portal.absoluteString == portal)
    #expect(dataset.version.rawValue == version)
    #expect(
      dataset.resource.absoluteString
        == portal
        + (version == "3.0" ? "/api/v3/views/abcd-1234/query.json" : "/resource/abcd-1234.json"))
    #expect(dataset.metadata.absoluteString == portal + "/api/views/abcd-1234.json")
    let coded = try JSONDecoder().decode(
      SODADataset.self, from: try JSONEncoder().encode(dataset))
    #expect(coded == dataset)
  }

  @Test(
    "a dataset takes a host with or without its scheme and port",
    arguments: [
      ("data.example.org", "https://data.example.org"),
      ("http://localhost:9000", "http://localhost:9000"),
      ("localhost:9000", "https://localhost:9000"), ("[::1]:81", "https://[::1]:81"),
      ("https://data.example.org/browse", "https://data.example.org"),
    ])
  func hosts(host: String, portal: String) throws {
    #expect(try SODADataset("abcd-1234", at: host).portal.absoluteString == portal)
  }

  @Test(
    "a dataset is rejected without an ID or a portal",
    arguments: [
      ("abcd-123", "data.example.org"), ("ABCD-1234", "data.example.org"),
      ("abcd_1234", "data.example.org"), ("", "data.example.org"),
      ("abcd-1234'", "data.example.org"), ("äbcd-123", "data.example.org"), ("abcd-1234", ""),
      ("abcd-1234", "ftp://data.example.org"), ("abcd-1234", "https://"),
    ])
  func refused(id: String, portal: String) {
    let error = #expect(throws: FieldError.self) { _ = try SODADataset(id, at: portal) }
    #expect(error?.code == .invalidInput)
  }

  @Test(
    "a dataset is rejected if a URL names none",
    arguments: [
      "https://data.example.org/", "https://data.example.org/browse?q=abcd-1234",
      "file:///d/abcd-1234", "https://data.example.org/stories/s/abcd-1234",
      "https://data.example.org/stories/s/A-title/abcd-1234",
      "https://dev.socrata.com/docs/datatypes/",
      "https://data.example.org/profile/A-Name/abcd-1234",
      "https://dev.socrata.com/foundry/abcd-1234",
      "https://data.example.org/en/dataset/city-2020",
      "https://data.example.org/datasets/bike-2020/about",
    ])
  func noAddress(text: String) throws {
    let url = try #require(URL(string: text))
    let error = #expect(throws: FieldError.self) { _ = try SODADataset(url) }
    #expect(error?.code == .invalidInput)
  }

  @Test(
    "a dataset has cells that are numbers and Boolean values in any notation",
    arguments: [
      ("21", 21.0, 21, nil), (" 21 ", 21, 21, nil), ("1880.0", 1880, 1880, nil),
      ("78.400000000000006", 78.4, nil, nil), ("1e3", 1_000, 1_000, nil), ("NaN", nil, nil, nil),
      ("", nil, nil, nil), ("9223372036854775808", 9_223_372_036_854_775_808, nil, nil),
      ("true", nil, nil, true), ("FALSE", nil, nil, false), ("1", 1, 1, nil),
    ] as [(String, Double?, Int?, Bool?)])
  func scalars(text: String, double: Double?, integer: Int?, bool: Bool?) {
    let value = SODAValue(text)
    #expect(value.double == double)
    #expect(value.integer == integer)
    #expect(value.bool == bool)
    #expect(value.text == text)
    #expect(!value.isNested)
    #expect(value.coordinate == nil)
  }

  @Test(
    "a dataset has times that are moments only with a stated zone, and days that no zone shifts")
  func times() throws {
    let fixed = SODAValue("2015-10-29T18:35:34.123Z")
    let date = try #require(fixed.date)
    #expect(abs(date.timeIntervalSince1970 - 1_446_143_734.123) < 0.000_001)
    #expect(fixed.day == (try CalendarDay("2015-10-29")))
    let floating = SODAValue("1880-01-01T00:00:00.000")
    #expect(floating.date == nil)
    #expect(floating.day == (try CalendarDay("1880-01-01")))
    #expect(SODAValue("2015-10-29T23:35:34-05:00").day == (try CalendarDay("2015-10-29")))
    #expect(SODAValue("soon").date == nil)
    #expect(SODAValue("soon").day == nil)
  }

  @Test("a dataset has a description, with epoch seconds and without hidden columns")
  func metadata() async throws {
    let text = """
      {"id":"abcd-1234","name":"Landings","rowsUpdatedAt":1446143734,"viewLastModified":"1530128561",
      "columns":[{"fieldName":":id","name":"id","dataTypeName":"meta_data","flags":["hidden"]},
      {"fieldName":"id","name":"Id","dataTypeName":"number"},{"fieldName":"name"},{"name":"Lost"},
      {"fieldName":"year","name":"Year","dataTypeName":"calendar_date","flags":[]}]}
      """
    let transport = StubTransport { $0.on("soda.metadata", respond: .json(text: text)) }
    let metadata = try await SmallSODA.client(transport).metadata()
    let spaced = StubTransport { $0.on("soda.metadata", respond: .json(text: "\r\n \t" + text)) }
    #expect(try await SmallSODA.client(spaced).metadata() == metadata)
    #expect(metadata.name == "Landings")
    #expect(metadata.columns.map(\.name) == ["id", "name", "year"])
    #expect(metadata.columns.map(\.title) == ["Id", "name", "Year"])
    #expect(metadata.columns.map(\.type) == ["number", "text", "calendar_date"])
    #expect(metadata.rowsUpdatedAt == Date(timeIntervalSince1970: 1_446_143_734))
    #expect(metadata.lastModified == Date(timeIntervalSince1970: 1_530_128_561))
    #expect(transport.requests[0].url.path == "/api/views/abcd-1234.json")
  }

  @Test(
    "a dataset has no description if the portal returns something else",
    arguments: [
      ("[]", 200, FieldError.Code.notData), ("{\"id\":\"abcd-1234\"}", 200, .notData),
      ("<html>", 200, .notData), ("{\"error\":true,\"message\":\"gone\"}", 404, .notFound),
      ("{\"id\":\"abcd-1234\",\"columns\":[", 200, .cut),
    ])
  func noMetadata(body: String, status: Int, code: FieldError.Code) async throws {
    let transport = StubTransport {
      $0.on("soda.metadata", respond: .text(body, status: status))
    }
    let client = try SmallSODA.client(transport)
    let error = await #expect(throws: FieldError.self) { _ = try await client.metadata() }
    #expect(error?.code == code)
    #expect(error?.operation == "soda.metadata")
  }
}
