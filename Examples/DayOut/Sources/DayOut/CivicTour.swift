import FieldFakes
import FieldKit
import Foundation

/// The city hall: its tiles after a sync, a change, a bad day of the server, a search, and the news.
struct CivicTour {
  let storage: Storage
  let language: TextLanguage

  func run(page: inout HTMLPage) async throws {
    let city = try TourCity()
    let server = try LoopbackServer(serving: city)
    let directory = Self.directory(of: city, at: server.url, storage: storage)
    let report = try await firstRefresh(directory)
    print()
    say("\(report.rows) rows of seven tables and two feeds, \(report.added) of them new\n")
    try await tiles(directory, page: &page)
    try await change(directory, city)
    try await badDay(directory, city)
    try await search(directory, page: &page)
    try await news(directory, page: &page)
    try await directory.close()
    await server.stop()
  }

  private static func directory(
    of city: TourCity, at url: URL, storage: Storage
  ) -> CivicDirectory {
    CivicDirectory(
      service: CivicService(
        baseURL: url.appending(path: "controller/service"), mediaURL: url.appending(path: "media"),
        project: city.tables.project),
      feeds: [
        CityFeed(.news, at: url.appending(path: "news.xml"), id: "tour.news"),
        CityFeed(.activities, at: url.appending(path: "activities.xml"), id: "tour.activities"),
      ],
      storage: storage, transport: URLSessionTransport())
  }

  private func firstRefresh(_ directory: CivicDirectory) async throws -> RefreshReport {
    let steps = directory.refreshProgress()
    async let report = directory.refresh()
    for await step in steps {
      ProgressBar.show(step)
      if step.outcome != nil { break }
    }
    print()
    return try await report
  }

  private func tiles(_ directory: CivicDirectory, page: inout HTMLPage) async throws {
    var table = Table("title", "tile", "units", "where")
    var rows: [[String]] = []
    for kind in [CategoryKind.administrative, .quickService, .facility] {
      let title = CivicTexts.title(of: kind)?.string(in: language) ?? ""
      for tile in try await directory.categories(of: kind) {
        let units = try await directory.units(in: tile.id)
        let floors = Set(units.compactMap(\.floor)).sorted().map(\.description)
        let cells = [title, tile.name, "\(units.count)", floors.joined(separator: " ")]
        table.add(cells[0], cells[1], cells[2], cells[3])
        rows.append(cells)
      }
    }
    table.print()
    page.heading("The city hall")
    page.table(caption: "Where units are", ["", "tile", "units", "floors"], rows)
    if let detail = try await directory.unit("u2") {
      let phones = detail.unit.phones.map(\.description).joined(separator: ", ")
      let above = detail.ancestors.map(\.name).joined(separator: " in ")
      say("\(detail.unit.name), in \(above): \(phones)\n")
    }
  }

  private func change(_ directory: CivicDirectory, _ city: TourCity) async throws {
    try city.tables.put(
      "administrativeUnit", #"{"unitId":"u9","name":"社會救助櫃台","parentUnitId":"u2"}"#)
    city.tables.delete("administrativeUnit", key: "u5")
    let report = try await directory.refresh()
    say(
      """
      one unit was added on the server and one removed: \(report.added) added, \
      \(report.removed) removed, in one commit with the cursors
      """)
  }

  private func badDay(_ directory: CivicDirectory, _ city: TourCity) async throws {
    for failure in [FakeCivicService.Failure.noResult, .webPage, .cut(after: 40)] {
      city.tables.fail(failure, table: "mobileApp")
      do {
        try await directory.refresh()
      } catch let error as FieldError {
        let tiles = try await directory.facilities()
        print("  \(error.code); still \(tiles.count) facilities")
      }
    }
    city.tables.fail(nil)
    print()
  }

  private func search(_ directory: CivicDirectory, page: inout HTMLPage) async throws {
    let text = "社會 台南"
    let hits = try await directory.search(
      CivicSearch(text, fields: .all), recordingInHistory: true)
    print("  searching for \"\(text)\" finds")
    for hit in hits {
      print("    \(CivicReport.marked(hit.unit.name, hit.nameRanges))")
    }
    page.table(
      caption: "What a search finds",
      ["found for \(text)", "telephone"],
      hits.map { hit in
        [
          CivicReport.marked(hit.unit.name, hit.nameRanges),
          hit.unit.phones.map(\.description).joined(separator: ", "),
        ]
      })
    let everything = try await directory.searchEverything("社會")
    say("\"社會\" is in \(everything.count) entries of the whole directory\n")
  }

  private func news(_ directory: CivicDirectory, page: inout HTMLPage) async throws {
    let news = try await directory.news()
    for item in news { say("\(item.title): \(item.plainText)") }
    let activities = try await directory.activities()
    if let first = activities.first {
      try await directory.hide(first.id)
      print("  \"\(first.title)\" is hidden; \(try await directory.activities().count) left\n")
    }
    page.table(
      caption: "News and activities",
      [CivicTexts.newsTitle.string(in: language), ""],
      news.map { [$0.title, $0.plainText] })
  }
}

/// The server behind this part of the tour: tables and feeds.
private final class TourCity: Transport {
  let tables: FakeCivicService

  init() throws {
    tables = FakeCivicService()
    for (table, rows) in Self.rows {
      for row in rows { try tables.put(table, row) }
    }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    switch request.url.lastPathComponent {
    case "news.xml": Self.feed(Self.news)
    case "activities.xml": Self.feed(Self.activities)
    default: try await tables.send(request)
    }
  }

  private static func feed(_ items: String) -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "text/xml"],
      body: .text(
        "<rss version=\"2.0\"><channel><title>市府</title>\(items)</channel></rss>"))
  }

  private static let news = """
    <item><title>市民服務台延長服務</title><link>https://city.example/n?n=1&amp;s=1</link>
      <pubDate>週一, 28 九月 2026 00:00:00 +0800</pubDate>
      <description>&lt;p&gt;每日至晚上八時&lt;/p&gt;</description></item>
    <item><title>社會局公告</title><link>https://city.example/n?n=1&amp;s=2</link>
      <pubDate>115-09-27</pubDate><description /></item>
    """
  private static let activities = """
    <item><title>社區健走</title><link>https://city.example/n?n=2&amp;s=1</link></item>
    <item><title>圖書館說故事</title><link>https://city.example/n?n=2&amp;s=2</link></item>
    """

  private static let rows: [(String, [String])] = [
    (
      "administrativeUnit",
      [
        #"{"unitId":"u1","name":"臺南市民服務台","parentUnitId":"0","tel":"06-2991111#8492","fieldId":"field_1450776651"}"#,
        #"{"unitId":"u2","name":"社會局","parentUnitId":"u1","tel":"2991111 轉 1012、1013","fieldId":"field_568ca78f9a6183_29396281"}"#,
        #"{"unitId":"u3","name":"一樓東側廁所","parentUnitId":" ","tel":"null","fieldId":"field_1450776651"}"#,
        #"{"unitId":"u4","name":"地下一樓電梯","tel":"null","fieldId":"field_1450776650"}"#,
        #"{"unitId":"u5","name":"臨時櫃台","description":"社會福利諮詢"}"#,
      ]
    ),
    (
      "administrativeUnitCategory",
      [
        #"{"categoryId":"c1","name":"社會局"}"#, #"{"categoryId":"c2","name":"補助資訊"}"#,
        #"{"categoryId":"c3","name":"廁所"}"#, #"{"categoryId":"c4","name":"電梯"}"#,
      ]
    ),
    (
      "administrativeUnitInCategory",
      [
        #"{"unitId":"u2","categoryId":"c1"}"#, #"{"unitId":"u2","categoryId":"c2"}"#,
        #"{"unitId":"u3","categoryId":"c3"}"#, #"{"unitId":"u4","categoryId":"c4"}"#,
      ]
    ),
    (
      "keyword",
      [
        #"{"keywordId":"k1","keyword":"局處導覽分類","rank":1}"#,
        #"{"keywordId":"k2","keyword":"便民服務分類","rank":2}"#,
        #"{"keywordId":"k3","keyword":"市府設施","rank":3}"#,
      ]
    ),
    (
      "inKeyword",
      [
        #"{"id":"c1","keywordId":"k1"}"#, #"{"id":"c2","keywordId":"k2"}"#,
        #"{"id":"c3","keywordId":"k3"}"#, #"{"id":"c4","keywordId":"k3"}"#,
      ]
    ),
    ("edm", [#"{"edmId":"e1","edmName":"花燈","edmEndDay":"2999-12-31"}"#]),
    ("mobileApp", [#"{"appId":"a1","appName":"公車","appURL":"tw.city.bus&hl=zh_TW"}"#]),
  ]
}
