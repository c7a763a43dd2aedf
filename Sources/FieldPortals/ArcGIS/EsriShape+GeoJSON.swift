internal import FieldCore

extension EsriShape {
  /// Returns the shape as a GeoJSON geometry in degrees, or `nil` if its coordinate system isn't known.
  func geoJSON(in reference: EsriReference) -> JSONValue? {
    if case .unknown = reference { return nil }
    let parts = parts.map { part in part.map { Self.json($0, reference) } }
    switch kind {
    case .point:
      guard let point = parts.first?.first else { return nil }
      return Self.geometry("Point", point)
    case .points: return Self.geometry("MultiPoint", .array(parts.flatMap(\.self)))
    case .lines:
      if parts.count == 1 { return Self.geometry("LineString", .array(parts[0])) }
      return Self.geometry("MultiLineString", .array(parts.map(JSONValue.array)))
    case .polygons:
      let polygons = polygons.map { rings in
        JSONValue.array(
          rings.map { ring in .array(ring.map { Self.json($0, reference) }) })
      }
      if polygons.count == 1 { return Self.geometry("Polygon", polygons[0]) }
      return Self.geometry("MultiPolygon", .array(polygons))
    }
  }

  private static func geometry(_ type: String, _ coordinates: JSONValue) -> JSONValue {
    .object([
      JSONValue.Member(key: "type", value: .string(type)),
      JSONValue.Member(key: "coordinates", value: coordinates),
    ])
  }

  private static func json(_ position: Position, _ reference: EsriReference) -> JSONValue {
    guard let place = reference.degrees(x: position.x, y: position.y) else { return .null }
    let numbers = [place.longitude, place.latitude] + (position.z.map { [$0] } ?? [])
    return .array(numbers.map { $0.isFinite ? .number("\($0)") : .null })
  }

  /// The polygons, each an outer ring and its holes, with outer rings counterclockwise, as GeoJSON has them.
  ///
  /// In Esri JSON, outer rings are clockwise, and holes may be anywhere in the list. A hole belongs to the outer ring before it if
  /// that surrounds it, otherwise to another one that does.
  private var polygons: [[[Position]]] {
    let rings = parts.map { (ring: $0, area: Self.moments(of: $0).area) }
    // Some publishers draw outer rings counterclockwise; then, the first ring shows what is outside.
    let outerIsPositive = !rings.contains { $0.area < 0 }
    var polygons: [[[Position]]] = []
    var boxes: [Box] = []
    var holes: [[Position]] = []
    for (ring, area) in rings {
      if (area > 0) == outerIsPositive || area == 0 {
        polygons.append([outerIsPositive ? ring : ring.reversed()])
        boxes.append(Box(ring))
      } else if let last = polygons.indices.last, boxes[last].contains(ring.first),
        Self.isInside(ring.first, polygons[last][0])
      {
        polygons[last].append(outerIsPositive ? ring : ring.reversed())
      } else {
        holes.append(outerIsPositive ? ring : ring.reversed())
      }
    }
    // Shapes from strangers may have any number of rings, so only so many corners are compared.
    var budget = 1 << 20
    for hole in holes {
      let owner = polygons.indices.first { index in
        guard boxes[index].contains(hole.first), budget > 0 else { return false }
        budget -= polygons[index][0].count
        return Self.isInside(hole.first, polygons[index][0])
      }
      if let owner { polygons[owner].append(hole) } else { polygons.append([hole.reversed()]) }
    }
    return polygons
  }

  private struct Box {
    var x: ClosedRange<Double>?
    var y: ClosedRange<Double>?

    init(_ ring: [Position]) {
      if let low = ring.map(\.x).min(), let high = ring.map(\.x).max() { x = low...high }
      if let low = ring.map(\.y).min(), let high = ring.map(\.y).max() { y = low...high }
    }

    func contains(_ position: Position?) -> Bool {
      guard let position, let x, let y else { return false }
      return x.contains(position.x) && y.contains(position.y)
    }
  }

  private static func isInside(_ position: Position?, _ ring: [Position]) -> Bool {
    guard let position, let last = ring.last else { return false }
    var isInside = false
    var before = last
    for corner in ring {
      if (corner.y > position.y) != (before.y > position.y),
        position.x < (before.x - corner.x) * (position.y - corner.y) / (before.y - corner.y)
          + corner.x
      {
        isInside.toggle()
      }
      before = corner
    }
    return isInside
  }
}
