import FieldFakes
import FieldKit
import Foundation

/// The portals, feeds and servers of all kits, as far as the front door needs them.
struct Portal: Transport {
  private let taipei = FakeTaipeiOpenData(
    datasets: [
      .init(TaipeiDataset.zooAnimals.resources[0].rawValue, rows: [
        ["A_Name_Ch": "大貓熊", "A_AlsoKnown": "貓熊、熊貓", "A_Pic01_URL": "http://www.zoo.gov.tw/panda 1.jpg"],
        ["A_Name_Ch": "大象"],
      ]),
      .init(TaipeiDataset.zooAreas.resources[0].rawValue, rows: [["E_No": "1", "E_Name": "鳥園區"]]),
      .init(TaipeiDataset.zooPlants.resources[0].rawValue, rows: [["F_Name_Ch": "九芎"]]),
    ],
    pictures: ["/panda 1.jpg": .init(bytes: [UInt8](Portal.picture))])
  private let city = FakeCivicService(project: "front-door")

  static let picture = Data(FakeTaipeiOpenData.SmallPicture.jpeg)

  init() throws {
    try city.put("administrativeUnit", #"{"unitId":"u1","name":"1樓東側廁所","fieldId":"field_1450776651","x":409,"y":729,"tel":"null"}"#)
    try city.put("administrativeUnit", #"{"unitId":"u2","name":"社會局","tel":"06-2991111#1408"}"#)
    try city.put("administrativeUnitCategory", #"{"categoryId":"c1","name":"廁所","description":"null"}"#)
    try city.put("administrativeUnitInCategory", #"{"unitId":"u1","categoryId":"c1"}"#)
    try city.put("keyword", #"{"keywordId":"k1","keyword":"市府設施","rank":3}"#)
    try city.put("inKeyword", #"{"id":"c1","keywordId":"k1"}"#)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    switch request.url.lastPathComponent {
    case "stations.json": return TransportResponse(status: 200, body: .text(Self.arrivals(now: Date())))
    case "download": return TransportResponse(status: 200, fields: ["ETag": "\"1\""], body: .text(Self.rows))
    case "OpenData.aspx": return TransportResponse(status: 200, body: .text(Self.feed))
    case "dataUpdate.php": return try await city.send(request)
    default: return try await taipei.send(request)
    }
  }

  private static let feed = """
    <rss version="2.0"><channel><title>市府</title><item><title>市集</title>
    <link>https://www.tainan.gov.tw/News_Content.aspx?n=1&amp;s=2</link>
    <pubDate>Mon, 28 Sep 2026 01:11:00 GMT</pubDate></item></channel></rss>
    """

  /// A train of long ago, and one of just now.
  private static func arrivals(now: Date) -> String {
    var style = Date.ISO8601FormatStyle(timeZone: TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt)
    style = style.year().month().day().time(includingFractionalSeconds: false)
    let time = now.formatted(style.dateSeparator(.omitted).timeSeparator(.omitted)).filter(\.isNumber)
    return """
      [{"Station":"台北車站","Destination":"淡水站","UpdateTime":"2016-05-16T18:00:51.953"},
       {"Station":"大安站","Destination":"象山站","UpdateTime":"\(time)"}]
      """
  }

  private static let rows = """
    [{"name":"Košice","id":"53810","nametype":"Valid","recclass":"H5","mass":"4300","fall":"Fell",
      "year":"2010-01-01T00:00:00.000","reclat":"48.763330","reclong":"21.176390"},
     {"name":"Chelyabinsk","id":"57165","nametype":"Valid","recclass":"LL5","mass":"100000","fall":"Fell",
      "year":"2013-01-01T00:00:00.000","reclat":"54.816670","reclong":"61.116670"},
     {"name":"Thika","id":"54493","nametype":"Valid","recclass":"L6","mass":"14200","fall":"Fell",
      "year":"2011-01-01T00:00:00.000","reclat":"-1.002780","reclong":"37.150280"}]
    """
}

/// Sends every request to a server on this machine instead, over a real HTTP client.
struct Rerouted: Transport {
  private let base: URL
  private let client = URLSessionTransport()

  init(to base: URL) { self.base = base }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
    parts?.scheme = base.scheme
    parts?.host = base.host()
    parts?.port = base.port
    request.url = parts?.url ?? base
    return try await client.send(request)
  }
}
