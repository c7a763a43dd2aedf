internal import FieldCore

/// The shape of a feature: Esri JSON or GeoJSON.
struct EsriShape {
  enum Kind {
    case point, points, lines, polygons
  }

  /// A position in the shape's own coordinate system; M isn't kept.
  struct Position {
    var x: Double
    var y: Double
    var z: Double?
  }

  var kind: Kind
  /// The points, lines, or rings. Rings of polygons are flat: outer rings and holes.
  var parts: [[Position]]

  /// Reads a shape, or returns `nil` if there is none, or if it can't be read.
  ///
  /// - Parameters:
  ///   - hasZ: Whether the third number of positions is Z, if the shape itself doesn't say.
  init?(_ value: JSONValue, hasZ: Bool) {
    let hasZ = value["hasZ"].map { $0 == .bool(true) } ?? hasZ
    if let x = value["x"] {
      guard let x = x.double, let y = value["y"]?.double else { return nil }
      self.init(kind: .point, parts: [[Position(x: x, y: y, z: value["z"]?.double)]])
    } else if let points = value["points"] {
      self.init(kind: .points, parts: [Self.positions(points, hasZ)])
    } else if let paths = value["paths"] ?? value["curvePaths"] {
      self.init(kind: .lines, parts: Self.parts(paths, hasZ))
    } else if let rings = value["rings"] ?? value["curveRings"] {
      self.init(kind: .polygons, parts: Self.parts(rings, hasZ))
    } else if let xmin = value["xmin"]?.double, let ymin = value["ymin"]?.double,
      let xmax = value["xmax"]?.double, let ymax = value["ymax"]?.double
    {
      let corners = [(xmin, ymin), (xmin, ymax), (xmax, ymax), (xmax, ymin), (xmin, ymin)]
      self.init(kind: .polygons, parts: [corners.map { Position(x: $0.0, y: $0.1) }])
    } else if let type = value["type"]?.string, let coordinates = value["coordinates"] {
      self.init(type, coordinates)
    } else {
      return nil
    }
    parts.removeAll(where: \.isEmpty)
    if parts.isEmpty { return nil }
  }

  private init(kind: Kind, parts: [[Position]]) {
    (self.kind, self.parts) = (kind, parts)
  }

  /// Reads GeoJSON, in which a third number is the height.
  private init?(_ type: String, _ coordinates: JSONValue) {
    switch type {
    case "Point": self.init(kind: .point, parts: [Self.positions(.array([coordinates]), true)])
    case "MultiPoint": self.init(kind: .points, parts: [Self.positions(coordinates, true)])
    case "LineString": self.init(kind: .lines, parts: [Self.positions(coordinates, true)])
    case "MultiLineString": self.init(kind: .lines, parts: Self.parts(coordinates, true))
    case "Polygon": self.init(kind: .polygons, parts: Self.parts(coordinates, true))
    case "MultiPolygon":
      self.init(
        kind: .polygons, parts: (coordinates.elements ?? []).flatMap { Self.parts($0, true) })
    default: return nil
    }
  }

  private static func parts(_ value: JSONValue, _ hasZ: Bool) -> [[Position]] {
    (value.elements ?? []).map { positions($0, hasZ) }
  }

  /// Reads positions; a curve, such as `{"c": [[x, y], …]}`, becomes its end.
  private static func positions(_ value: JSONValue, _ hasZ: Bool) -> [Position] {
    (value.elements ?? []).compactMap { element in
      var numbers = element.elements
      if numbers == nil, case .object(let members) = element {
        numbers = members.first?.value.elements?.first?.elements
      }
      guard let numbers, numbers.count >= 2, let x = numbers[0].double, let y = numbers[1].double
      else { return nil }
      return Position(x: x, y: y, z: hasZ && numbers.count > 2 ? numbers[2].double : nil)
    }
  }
}

extension EsriShape {
  /// A position that stands for the shape: the point, the one nearest to the mean of several, the middle of
  /// the longest line, or the centroid of the largest polygon. If that isn't inside of the polygon, it is moved to the
  /// middle of the widest part at the same height.
  var center: Position? {
    switch kind {
    case .point: parts.first?.first
    case .points: centralPoint
    case .lines: parts.max { Self.length($0) < Self.length($1) }.flatMap(Self.middle)
    case .polygons: innerPoint
    }
  }

  private var centralPoint: Position? {
    let points = parts.flatMap(\.self)
    guard let first = points.first else { return nil }
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + ($1.x - first.x) / count } + first.x
    let y = points.reduce(0) { $0 + ($1.y - first.y) / count } + first.y
    func distance(_ point: Position) -> Double {
      (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y)
    }
    return points.min { distance($0) < distance($1) }
  }

  private static func distance(_ start: Position, _ end: Position) -> Double {
    let (x, y) = (end.x - start.x, end.y - start.y)
    return (x * x + y * y).squareRoot()
  }

  private static func length(_ line: [Position]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { sum, step in
      sum + distance(step.0, step.1)
    }
  }

  private static func middle(of line: [Position]) -> Position? {
    let half = length(line) / 2
    var passed = 0.0
    for (start, end) in zip(line, line.dropFirst()) {
      let step = distance(start, end)
      if passed + step >= half, step > 0 {
        let share = (half - passed) / step
        return Position(
          x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
      }
      passed += step
    }
    return line.first
  }

  /// Returns twice the signed area of a ring, positive if it is counterclockwise, and its centroid.
  static func moments(of ring: [Position]) -> (area: Double, x: Double, y: Double) {
    guard let first = ring.first else { return (0, 0, 0) }
    // Relative to the first corner, because the products of large numbers lose their last digits.
    var (area, x, y) = (0.0, 0.0, 0.0)
    for (start, end) in zip(ring, ring.dropFirst() + [first]) {
      let (ax, ay) = (start.x - first.x, start.y - first.y)
      let (bx, by) = (end.x - first.x, end.y - first.y)
      let cross = ax * by - bx * ay
      area += cross
      x += (ax + bx) * cross
      y += (ay + by) * cross
    }
    guard area != 0, area.isFinite else { return (0, first.x, first.y) }
    return (area, first.x + x / (3 * area), first.y + y / (3 * area))
  }

  private var innerPoint: Position? {
    let rings = parts.map { (ring: $0, moments: Self.moments(of: $0)) }
    guard let largest = rings.max(by: { abs($0.moments.area) < abs($1.moments.area) }),
      let corner = largest.ring.first
    else { return nil }
    guard largest.moments.area != 0 else { return corner }
    let center = Position(x: largest.moments.x, y: largest.moments.y)
    // The stretches of the height of the centroid that are inside, by the rule of even and odd crossings.
    var crossings: [Double] = []
    for (ring, _) in rings {
      guard let first = ring.first else { continue }
      for (start, end) in zip(ring, ring.dropFirst() + [first])
      where (start.y > center.y) != (end.y > center.y) {
        let share = (center.y - start.y) / (end.y - start.y)
        crossings.append(start.x + (end.x - start.x) * share)
      }
    }
    crossings.sort()
    let stretches = stride(from: 0, to: crossings.count - 1, by: 2).map {
      (crossings[$0], crossings[$0 + 1])
    }
    if stretches.contains(where: { $0.0 <= center.x && center.x <= $0.1 }) { return center }
    guard let widest = stretches.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return corner }
    return Position(x: (widest.0 + widest.1) / 2, y: center.y)
  }
}

// MARK: - Geo JSON

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
