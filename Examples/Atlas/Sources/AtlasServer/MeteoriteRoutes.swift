import FieldKit
import Foundation
import Hummingbird
import NIOCore

/// How many meteorites there are.
struct MeteoriteSummary: Codable, Sendable {
  var count: Int
  var plausible: Int
  var revision: String

  init(_ view: MeteoriteView) {
    count = view.count
    plausible = view.count(MeteoriteQuery(plausibleOnly: true))
    revision = "\(view.revision)"
  }
}

/// A meteorite as the page lists it.
struct MeteoriteRow: Codable, Sendable {
  var id: String
  var name: String
  var kind: String
  var grams: Double?
  var year: Int?
  var fell: Bool
  var latitude: Double?
  var longitude: Double?
  var kilometers: Double?

  init(_ meteorite: Meteorite, distance: Distance? = nil) {
    id = meteorite.id.rawValue
    name = meteorite.name
    kind = meteorite.classification.name
    grams = meteorite.massInGrams
    year = meteorite.year?.rawValue
    fell = meteorite.fall == .fell
    if meteorite.hasPlausiblePosition {
      latitude = meteorite.coordinate?.normalized.latitude
      longitude = meteorite.coordinate?.normalized.longitude
    }
    kilometers = distance?.kilometers
  }
}

/// The result of a query.
struct MeteoriteAnswer: Codable, Sendable {
  var count: Int
  var rows: [MeteoriteRow]
  var microseconds: Double
}

extension Router where Context == BasicRequestContext {
  func addMeteorites(_ world: World) {
    let catalog = world.field.meteorites
    get("api/meteorites/points") { _, _ in
      let view = try await catalog.view()
      return Response(
        status: .ok, headers: [.contentType: "application/octet-stream"],
        body: ResponseBody(byteBuffer: MeteoritePoints.bytes(view)))
    }
    get("api/meteorites/find") { request, _ in
      let query = try request.meteoriteQuery()
      // atlas:begin meteorites
      // A view answers synchronously, and nothing changes under it.
      let view = try await catalog.view()
      let (answer, time) = measured {
        (count: view.count(query), rows: view.find(query))
      }
      return try json(
        MeteoriteAnswer(
          count: answer.count, rows: answer.rows.map { MeteoriteRow($0) }, microseconds: time))
      // atlas:end meteorites
    }
    get("api/meteorites/nearest") { request, _ in
      let query = try request.meteoriteQuery()
      // atlas:begin meteorites
      let place = try Coordinate(
        latitude: try request.number("latitude"), longitude: try request.number("longitude"))
      let view = try await catalog.view()
      let (near, time) = measured { view.nearest(to: place, count: 10, matching: query) }
      return try json(
        MeteoriteAnswer(
          count: near.count, rows: near.map { MeteoriteRow($0.meteorite, distance: $0.distance) },
          microseconds: time))
      // atlas:end meteorites
    }
  }
}

extension Request {
  /// The conditions of the page's sliders and of its search field.
  fileprivate func meteoriteQuery() throws -> MeteoriteQuery {
    var query = MeteoriteQuery(plausibleOnly: true, order: .massDescending, limit: 40)
    if let text = uri.queryParameters["text"], !text.isEmpty { query.text = try self.text("text") }
    if let from = uri.queryParameters["from"].flatMap({ Int($0) }),
      let to = uri.queryParameters["to"].flatMap({ Int($0) }), from <= to
    {
      query.years = (from...to).valueRange
    }
    if let least = uri.queryParameters["least"].flatMap({ Double($0) }), least > 0 {
      query.massInGrams = (least...).valueRange
    }
    return query
  }
}

/// All plausible positions in a compact form for the canvas.
enum MeteoritePoints {
  /// Returns a count, and then for each meteorite longitude, latitude, mass, year, and whether it fell.
  static func bytes(_ view: MeteoriteView) -> ByteBuffer {
    let plausible = view.all.filter { $0.hasPlausiblePosition && $0.coordinate != nil }
    var buffer = ByteBuffer()
    buffer.reserveCapacity(4 + plausible.count * 16)
    buffer.writeInteger(UInt32(plausible.count), endianness: .little)
    for meteorite in plausible {
      guard let coordinate = meteorite.coordinate?.normalized else { continue }
      buffer.writeInteger(Float(coordinate.longitude).bitPattern, endianness: .little)
      buffer.writeInteger(Float(coordinate.latitude).bitPattern, endianness: .little)
      buffer.writeInteger(Float(meteorite.massInGrams ?? -1).bitPattern, endianness: .little)
      let year = meteorite.year.map { Int16(clamping: $0.rawValue) } ?? Int16.min
      buffer.writeInteger(year, endianness: .little)
      buffer.writeInteger(UInt16(meteorite.fall == .fell ? 1 : 0), endianness: .little)
    }
    return buffer
  }
}
