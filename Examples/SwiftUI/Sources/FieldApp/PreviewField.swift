import FieldFakes
import FieldKit
import Foundation

extension Field {
  /// Creates the field of the previews: made-up data, no network, and nothing on disk.
  static func preview() throws -> Field {
    let city = FakeCivicService()
    for (table, row) in [
      ("keyword", #"{"keywordId":"k3","keyword":"市府設施","rank":3}"#),
      ("administrativeUnitCategory", #"{"categoryId":"c1","name":"停車場"}"#),
      ("inKeyword", #"{"id":"c1","keywordId":"k3"}"#),
      ("administrativeUnit", #"{"unitId":"u1","name":"地下停車場","fieldId":"field_1450776650"}"#),
      ("administrativeUnitInCategory", #"{"unitId":"u1","categoryId":"c1"}"#),
    ] { try city.put(table, row) }
    let (storage, portals) = (Storage.inMemory, PreviewPortals(city: city))
    return Field(
      zoo: Zoo(storage: storage, transport: portals),
      metro: Metro(storage: storage, transport: portals),
      meteorites: MeteoriteCatalog(storage: storage, transport: portals),
      // A name is enough here; by default, an owner has to fill in everything.
      walks: WalkDiary(storage: storage, transport: portals, rules: PetRules(required: [])),
      civic: CivicDirectory(
        service: CivicService(
          baseURL: city.baseURL, mediaURL: city.mediaURL, project: city.project),
        storage: storage, transport: portals))
  }
}

/// The portals of the previews, each with a few rows.
private struct PreviewPortals: Transport {
  let city: FakeCivicService

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    switch request.operation {
    case "zoo.animals.page":
      table(#"{"_id":1,"a_name_ch":"大貓熊"},{"_id":2,"a_name_ch":"石虎"}"#, count: 2)
    case "zoo.areas.page": table(#"{"e_no":"1","e_name":"鳥園區"}"#)
    case "zoo.plants.page": table(#"{"_id":1,"f_name_ch":"九芎"}"#)
    case "metro.arrivals":
      json(
        """
        [{"Station":"台北車站","Destination":"淡水站","UpdateTime":"\(now)"},
        {"Station":"台北車站","Destination":"象山站","UpdateTime":"\(now)"}]
        """)
    case "meteorites.snapshot":
      json(
        """
        [{"name":"Hoba","id":"11890","recclass":"Iron, IVB","mass":"60000000","fall":"Found"},
        {"name":"Aachen","id":"1","recclass":"L5","mass":"21","fall":"Fell"}]
        """)
    case "civic.feed":
      TransportResponse(
        status: 200, fields: ["Content-Type": "text/xml"],
        body: .text(
          """
          <rss version="2.0"><channel><title>市府</title><item><title>花燈</title>
          <link>https://www.tainan.gov.tw/News_Content.aspx?n=1&amp;s=2</link></item></channel></rss>
          """))
    default: try await city.send(request)
    }
  }

  /// The time in Taipei, as the metro's feed writes it.
  private var now: String {
    let date = Date().addingTimeInterval(8 * 3_600).ISO8601Format()
    return String(date.filter(\.isNumber).prefix(14))
  }

  private func table(_ rows: String, count: Int = 1) -> TransportResponse {
    json(#"{"result":{"limit":1000,"offset":0,"count":\#(count),"sort":"","results":[\#(rows)]}}"#)
  }

  private func json(_ text: String) -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "application/json"], body: .text(text))
  }
}
