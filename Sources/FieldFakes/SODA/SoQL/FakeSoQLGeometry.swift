internal import FieldCore

/// A location in degrees.
struct FakeSoQLPlace: Hashable, Sendable {
  var longitude: Double
  var latitude: Double

  /// Returns the geodesic distance to another location in meters, or `nil` if one is invalid.
  func meters(to other: FakeSoQLPlace) -> Double? {
    guard let from = try? Coordinate(latitude: latitude, longitude: longitude),
      let to = try? Coordinate(latitude: other.latitude, longitude: other.longitude)
    else { return nil }
    return from.distance(to: to).meters
  }
}

/// A polygon in the plane of degrees, with an outer ring and holes.
struct FakeSoQLPolygon: Hashable, Sendable {
  var rings: [[FakeSoQLPlace]]

  /// Returns whether a location is inside of an odd number of rings.
  func contains(_ place: FakeSoQLPlace) -> Bool {
    var isInside = false
    for ring in rings {
      for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        guard (from.latitude > place.latitude) != (to.latitude > place.latitude) else { continue }
        let share = (place.latitude - from.latitude) / (to.latitude - from.latitude)
        let crossing = from.longitude + share * (to.longitude - from.longitude)
        if place.longitude < crossing { isInside.toggle() }
      }
    }
    return isInside
  }
}

/// A reader of well-known text, longitude first.
struct FakeSoQLShapeReader {
  private var rest: Substring

  /// Returns the location in `POINT (lon lat)`.
  static func place(_ text: String) -> FakeSoQLPlace? {
    var reader = FakeSoQLShapeReader(rest: text[...])
    guard reader.take("point"), reader.take("("), let place = reader.place(), reader.take(")"),
      reader.isAtEnd
    else { return nil }
    return place
  }

  /// Returns the polygons in `POLYGON ((…))` or `MULTIPOLYGON (((…)))`.
  static func polygons(_ text: String) -> [FakeSoQLPolygon]? {
    var reader = FakeSoQLShapeReader(rest: text[...])
    let polygons =
      reader.take("polygon")
      ? reader.polygon().map { [$0] }
      : reader.take("multipolygon") ? reader.list { $0.polygon() } : nil
    return reader.isAtEnd ? polygons : nil
  }

  private mutating func polygon() -> FakeSoQLPolygon? {
    list { $0.list { $0.place() } }.map(FakeSoQLPolygon.init(rings:))
  }

  private mutating func list<Element>(
    _ element: (inout FakeSoQLShapeReader) -> Element?
  ) -> [Element]? {
    guard take("(") else { return nil }
    var elements: [Element] = []
    repeat {
      guard let next = element(&self) else { return nil }
      elements.append(next)
    } while take(",")
    return take(")") ? elements : nil
  }

  private mutating func place() -> FakeSoQLPlace? {
    guard let longitude = number(), let latitude = number() else { return nil }
    return FakeSoQLPlace(longitude: longitude, latitude: latitude)
  }

  private mutating func number() -> Double? {
    skipSpace()
    let text = rest.prefix { !",() ".contains($0) }
    rest = rest[text.endIndex...]
    return FakeSoQLNumber.value(String(text))
  }

  private mutating func take(_ text: String) -> Bool {
    skipSpace()
    guard rest.prefix(text.count).lowercased() == text else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

  private mutating func skipSpace() { rest = rest.drop { $0 == " " } }
}
