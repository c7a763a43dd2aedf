import FieldKit
import Foundation
import Hummingbird

/// The diary: statistics, badges, and the days of the calendar.
struct DiaryPayload: Codable, Sendable {
  struct Day: Codable, Sendable {
    var day: String
    var meters: Double
  }

  struct Badge: Codable, Sendable {
    var name: String
    var earned: Date
  }

  struct Entry: Codable, Sendable {
    var id: String
    var title: String
    var day: String
    var meters: Double
    var seconds: Int
    var climb: Double?
    var hasReward: Bool
  }

  var pet: String
  var walks: Int
  var meters: Double
  var climb: Double?
  var streak: Int
  var longestStreak: Int
  var today: String
  var days: [Day]
  var badges: [Badge]
  var entries: [Entry]
}

/// A stored route with its statistics.
struct RoutePayload: Codable, Sendable {
  var segments: [[[Double]]]
  var meters: Double
  var climb: Double?
  var points: Int
  var splits: [WalkReplay.Split]
}

extension Router where Context == BasicRequestContext {
  func addWalks(_ world: World) {
    let diary = world.field.walks
    let replay = world.replay
    get("api/walks/live") { _, _ in try json(await replay.all) }
    post("api/walks/{action}") { _, context in
      switch try context.parameters.require("action") {
      case "play": try await replay.play()
      case "pause": try await replay.pause()
      case "finish": try await replay.finish()
      default: throw HTTPError(.notFound)
      }
      return try json(await replay.all.state)
    }
    get("api/walks/diary") { request, _ in
      let language = TextLanguage(
        rawValue: request.uri.queryParameters["language"].map { String($0) } ?? "en")
      // atlas:begin walks
      let walks = try await diary.allWalks()
      let statistics = try await diary.statistics()
      let streak = try await diary.streak()
      let badges = try await diary.badges()
      // atlas:end walks
      let days = Dictionary(grouping: walks, by: { $0.day }).mapValues { walks in
        walks.reduce(0) { $0 + $1.distance.meters }
      }
      return try json(
        DiaryPayload(
          pet: try await diary.pets().first?.name ?? "", walks: statistics.walkCount,
          meters: statistics.distance.meters, climb: statistics.climb?.meters,
          streak: streak.current, longestStreak: streak.longest,
          today: CalendarDay(Date(), in: .taipei).description,
          days: days.sorted { $0.key < $1.key }.map {
            DiaryPayload.Day(day: $0.key.description, meters: $0.value)
          },
          badges: badges.map { DiaryPayload.Badge(name: $0.rule.name, earned: $0.earned) },
          entries: walks.sorted { $0.start > $1.start }.prefix(12).map { walk in
            DiaryPayload.Entry(
              id: walk.id.rawValue, title: WalkTexts.title(of: walk).string(in: language),
              day: walk.day.description, meters: walk.distance.meters,
              seconds: Int(walk.duration.components.seconds), climb: walk.climb?.meters,
              hasReward: walk.reward != nil)
          }))
    }
    get("api/walks/route/{id}") { _, context in
      let id = Walk.ID(rawValue: try context.parameters.require("id"))
      let route = try await diary.route(of: id)
      let figures = route.figures()
      return try json(
        RoutePayload(
          segments: route.segments.map { segment in
            segment.map { [$0.coordinate.longitude, $0.coordinate.latitude, $0.elevation ?? 0] }
          }, meters: figures.distance.meters, climb: figures.climb?.meters,
          points: route.pointCount,
          splits: figures.splits.map {
            WalkReplay.Split(
              meters: $0.distance.meters, seconds: $0.recordedTime.map { $0 / .seconds(1) },
              climb: $0.climb?.meters)
          }))
    }
  }
}
