import FieldKit
import Foundation
import Hummingbird

/// A text in parts, of which some are highlighted.
struct MarkedText: Codable, Sendable {
  var text: String
  var isMarked: Bool

  static func parts(of text: String, _ ranges: [Range<String.Index>]) -> [MarkedText] {
    var parts: [MarkedText] = []
    var place = text.startIndex
    for range in ranges {
      if place < range.lowerBound {
        parts.append(MarkedText(text: String(text[place..<range.lowerBound]), isMarked: false))
      }
      parts.append(MarkedText(text: String(text[range]), isMarked: true))
      place = range.upperBound
    }
    if place < text.endIndex {
      parts.append(MarkedText(text: String(text[place...]), isMarked: false))
    }
    return parts
  }
}

/// The directory's start: tiles and their units.
struct CityPayload: Codable, Sendable {
  struct Tile: Codable, Sendable {
    var kind: Int
    var name: String
    var units: [Unit]
  }

  struct Unit: Codable, Sendable {
    var name: [MarkedText]
    var details: [MarkedText]
    var phones: [String]
    var dials: [String]
    var floor: String?

    init(_ unit: CivicUnit, hit: CivicHit? = nil) {
      name = MarkedText.parts(of: unit.name, hit?.nameRanges ?? [])
      details = MarkedText.parts(of: unit.details ?? "", hit?.detailRanges ?? [])
      phones = unit.phones.map(\.description)
      dials = unit.phones.map(\.dialString)
      floor = unit.floor?.description
    }
  }

  var tiles: [Tile]
  var units: [Unit]
  var history: [String]
  var microseconds: Double
}

/// The news with the state of each feed.
struct NewsPayload: Codable, Sendable {
  struct Item: Codable, Sendable {
    var title: String
    var text: String
    var date: Date?
    var kind: String
  }

  struct Feed: Codable, Sendable {
    var name: String
    var isHealthy: Bool
    var items: Int
    var lastSuccess: Date?
    var failuresInARow: Int
    var failure: FailurePayload?
  }

  var items: [Item]
  var feeds: [Feed]
}

extension Router where Context == BasicRequestContext {
  func addCity(_ world: World) {
    let city = world.field.civic
    get("api/city/directory") { request, _ in
      let text = try request.text("text", isRequired: false)
      let view = try await city.view()
      // atlas:begin city
      // 臺 finds 台, full width finds half width; each hit says what to highlight.
      let search = CivicSearch(text, fields: .all, limit: 12)
      let (hits, time) = measured { text.isEmpty ? [] : view.search(search) }
      let tiles = [CategoryKind.administrative, .quickService, .facility].flatMap { kind in
        view.categories(of: kind).map { category in
          CityPayload.Tile(
            kind: kind.rawValue, name: category.name,
            units: view.units(in: category.id).map { CityPayload.Unit($0) })
        }
      }
      // atlas:end city
      return try json(
        CityPayload(
          tiles: tiles, units: hits.map { CityPayload.Unit($0.unit, hit: $0) },
          history: view.searchHistory.map(\.text), microseconds: time))
    }
    post("api/city/history") { request, _ in
      try await city.searchHistory.add(try request.text("text"))
      return try json(["added": true])
    }
    get("api/city/news") { _, _ in
      // atlas:begin city
      let feeds = world.atlas.feeds
      let news = try await feeds.storedNews()
      let activities = try await feeds.storedActivities()
      let health = try await feeds.health()
      // Foreign HTML: `plainText` has neither tags nor scripts.
      // atlas:end city
      let items =
        news.map {
          NewsPayload.Item(title: $0.title, text: $0.plainText, date: $0.published, kind: "news")
        }
        + activities.map {
          NewsPayload.Item(
            title: $0.title, text: $0.plainText, date: $0.published, kind: "activity")
        }
      return try json(
        NewsPayload(
          items: items,
          feeds: health.map { feed in
            NewsPayload.Feed(
              name: feed.id.rawValue, isHealthy: feed.isHealthy, items: feed.itemCount,
              lastSuccess: feed.lastSuccess, failuresInARow: feed.failuresInARow,
              failure: feed.lastFailure.flatMap {
                feed.isHealthy
                  ? nil
                  : FailurePayload(FieldError(FieldError.Code(rawValue: $0.code), $0.message))
              })
          }))
    }
  }
}
