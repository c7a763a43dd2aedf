import CivicKit
import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The city's models")
struct CivicModelJSONTests {
  private static let date = Date(timeIntervalSince1970: 1_767_225_600)

  @Test("the city's models have JSON that other programs can read")
  func models() throws {
    let unit = CivicUnit(id: "u1", name: "社會局", details: "社會福利", phones: PhoneList("06-2991111"))
    let category = UnitCategory(id: "c1", name: "廁所")
    let news = NewsItem(id: "n1", feed: "city.news", title: "第1則", published: Self.date)
    let error = FieldError(.offline, "The device is offline.")
    let hit = CivicHit(unit: unit, fields: [.name, .details], words: ["社會"])
    #expect(hit.nameRanges.count == 1 && hit.wordCount == 1)
    try Golden("civic-models").expectModels(
      [
        "activities": ActivityPage(
          [CityActivity(news, isHidden: true)], date: nil, asOf: Self.date),
        "details": [UnitParent.none, .unit(unit), .missing("u0")].map {
          UnitDetail(unit: unit, categories: [category], parent: $0, ancestors: [], children: [])
        },
        "findings": CivicFindings(units: [hit], categories: [category], news: [news]),
        "health": FeedHealth(id: "city.news", lastSuccess: Self.date, itemCount: 1),
        "news": NewsPage(
          [news], date: Self.date, asOf: Self.date + 60, failures: ["city.news": error]),
        "options": CivicOptions(),
        "pager": BannerPager(count: 3, index: 1),
        "search": CivicSearch("社會 福利", words: .all, fields: .all, limit: 5),
      ], retired: ["batch"])
  }
}
