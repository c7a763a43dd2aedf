import FieldFakes
import FieldKit
import Foundation

/// The tables of a made-up city hall, and its two feeds.
enum CityData {
  static func service() throws -> FakeCivicService {
    let service = FakeCivicService()
    for (number, unit) in units.enumerated() {
      var row = "{\"unitId\":\"u\(number)\",\"name\":\"\(unit.name)\""
      row += ",\"tel\":\"\(unit.phone)\",\"fieldId\":\"\(unit.field)\""
      if let parent = unit.parent { row += ",\"parentUnitId\":\"u\(parent)\"" }
      if let details = unit.details { row += ",\"description\":\"\(details)\"" }
      try service.put("administrativeUnit", row + "}")
      for category in unit.categories {
        try service.put(
          "administrativeUnitInCategory",
          "{\"unitId\":\"u\(number)\",\"categoryId\":\"\(category)\"}"
        )
      }
    }
    for category in categories {
      try service.put(
        "administrativeUnitCategory",
        "{\"categoryId\":\"\(category.id)\",\"name\":\"\(category.name)\"}")
      try service.put(
        "inKeyword", "{\"id\":\"\(category.id)\",\"keywordId\":\"\(category.keyword)\"}")
    }
    for row in [
      #"{"keywordId":"k1","keyword":"局處導覽分類","rank":1}"#,
      #"{"keywordId":"k2","keyword":"便民服務分類","rank":2}"#,
      #"{"keywordId":"k3","keyword":"市府設施","rank":3}"#,
    ] { try service.put("keyword", row) }
    try service.put("edm", #"{"edmId":"e1","edmName":"花燈","edmEndDay":"2999-12-31"}"#)
    try service.put(
      "mobileApp", #"{"appId":"a1","appName":"公車","appURL":"tw.city.bus&hl=zh_TW"}"#)
    return service
  }

  static func feed(_ items: String) -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "text/xml"],
      body: .text("<rss version=\"2.0\"><channel><title>市府</title>\(items)</channel></rss>"))
  }

  private struct Category {
    let id: String
    let name: String
    let keyword: String
  }

  private static let categories: [Category] = [
    Category(id: "c1", name: "社會局", keyword: "k1"),
    Category(id: "c2", name: "民政局", keyword: "k1"),
    Category(id: "c3", name: "交通局", keyword: "k1"),
    Category(id: "c4", name: "補助資訊", keyword: "k2"),
    Category(id: "c5", name: "戶籍與證件", keyword: "k2"),
    Category(id: "c6", name: "廁所", keyword: "k3"),
    Category(id: "c7", name: "電梯", keyword: "k3"),
    Category(id: "c8", name: "停車場", keyword: "k3"),
  ]

  private struct Unit {
    let name: String
    let phone: String
    let field: String
    var parent: Int?
    var details: String?
    let categories: [String]

    init(
      _ name: String, _ phone: String, floor field: String, in parent: Int? = nil,
      _ categories: [String], _ details: String? = nil
    ) {
      self.name = name
      self.phone = phone
      self.field = field
      self.parent = parent
      self.categories = categories
      self.details = details
    }
  }

  private static let first = "field_1450776651"
  private static let basement = "field_1450776650"
  private static let upper = "field_568ca78f9a6183_29396281"

  private static let units: [Unit] = [
    Unit("臺南市民服務台", "06-2991111#8492", floor: first, ["c5"], "市政諮詢、失物招領"),
    Unit("社會局", "2991111 轉 1012、1013", floor: upper, in: 0, ["c1", "c4"], "社會福利"),
    Unit("社會局 社會救助科", "06-2991111#5900", floor: upper, in: 1, ["c1", "c4"], "急難救助、低收入戶"),
    Unit("社會局 婦女福利科", "06-2991111#5910", floor: upper, in: 1, ["c1"], "托育、婦女服務"),
    Unit("社會局 老人福利科", "06-2991111#5920", floor: upper, in: 1, ["c1", "c4"], "敬老卡"),
    Unit("社會局 身心障礙福利科", "06-2991111#5930", floor: upper, in: 1, ["c1", "c4"], "輔具補助"),
    Unit("民政局", "06-2991111#7800", floor: upper, in: 0, ["c2"], "戶政、宗教、殯葬"),
    Unit("民政局 戶政科", "06-2991111#7810", floor: upper, in: 6, ["c2", "c5"], "身分證、戶口名簿"),
    Unit("民政局 兵役科", "06-2991111#7820", floor: upper, in: 6, ["c2"], "役男體檢"),
    Unit("交通局", "06-2991111#8600", floor: upper, in: 0, ["c3"], "公車、停車、號誌"),
    Unit("交通局 停車管理科", "06-2991111#8610", floor: upper, in: 9, ["c3"], "路邊停車繳費"),
    Unit("交通局 公共運輸科", "06-2991111#8620", floor: upper, in: 9, ["c3"], "公車路線、敬老卡"),
    Unit("一樓東側廁所", "null", floor: first, ["c6"], "無障礙"),
    Unit("一樓西側廁所", "null", floor: first, ["c6"], "親子"),
    Unit("二樓廁所", "null", floor: upper, ["c6"]),
    Unit("地下一樓電梯", "null", floor: basement, ["c7"]),
    Unit("東側電梯", "null", floor: first, ["c7"], "無障礙"),
    Unit("地下停車場", "06-2991111#8611", floor: basement, ["c8"], "汽車 312 位"),
    Unit("機車停車場", "06-2991111#8612", floor: basement, ["c8"], "機車 540 位"),
    Unit("哺集乳室", "06-2991111#8493", floor: first, ["c6"], "社會局維護"),
  ]

  static let news = """
    <item><title>市民服務台延長服務</title><link>https://city.example/n?n=1&amp;s=1</link>
      <pubDate>週一, 28 九月 2026 00:00:00 +0800</pubDate>
      <description>&lt;p&gt;每日至晚上八時，週六上午照常服務。&lt;/p&gt;</description></item>
    <item><title>社會局公告：冬令救助開始受理</title><link>https://city.example/n?n=1&amp;s=2</link>
      <pubDate>115-09-27</pubDate>
      <description>&lt;p onclick="alert(1)"&gt;請備妥證件 &lt;b&gt;影本&lt;/b&gt;。&lt;/p&gt;</description></item>
    <item><title>地下停車場清洗</title><link>https://city.example/n?n=1&amp;s=3</link>
      <pubDate>2026-09-25</pubDate><description>週日全日暫停使用。</description></item>
    """

  static let activities = """
    <item><title>社區健走</title><link>https://city.example/n?n=2&amp;s=1</link>
      <pubDate>2026-10-03</pubDate></item>
    <item><title>圖書館說故事</title><link>https://city.example/n?n=2&amp;s=2</link>
      <pubDate>2026-10-04</pubDate></item>
    """
}
