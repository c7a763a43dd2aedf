public import FieldCore
public import FieldFoundation

/// A route that was read from GeoJSON, with a list of what couldn't be read.
///
/// ```swift
/// let file = try GeoJSONRoute(data)
/// print(file.route.distance, file.failures.count)
/// ```
///
/// Each `LineString` and each line of a `MultiLineString` becomes a segment, whether it is in a
/// feature, in a collection of features or geometries, or on its own. Points and polygons are
/// skipped. Times are read from `coordinateProperties.times` or, as in older files, from
/// `coordTimes`. Lines that were cut at the antimeridian are joined.
public struct GeoJSONRoute: Sendable, Hashable, Codable {
  /// The route with all lines.
  public var route: WalkRoute
  /// The first name of a feature that contains a line.
  public var name: String?
  /// The failures: invalid positions by their number in the file, and lines that aren't arrays by
  /// the number of the position after them.
  ///
  /// Everything else is in the route.
  public var failures: [RowFailure]

  /// Creates a route by reading GeoJSON.
  ///
  /// - Throws: `FieldError` with one of the codes for JSON (`rows.empty`, `rows.notData`,
  ///   `rows.cut`, `rows.encoding`, `rows.malformed`), or `rows.unknownFormat` if the JSON contains
  ///   no line.
  public init(_ data: Data) throws {
    var reader = GeoJSONLineReader()
    reader.read(try JSONDocument.value([UInt8](data)))
    guard reader.hasLines else {
      throw FieldError(.unknownFormat, "The JSON isn't GeoJSON with a line.")
    }
    route = WalkRoute(segments: reader.segments)
    name = reader.name
    failures = reader.failures
  }
}

private struct GeoJSONLineReader {
  private(set) var segments: [[TrackPoint]] = []
  private(set) var hasLines = false
  private(set) var name: String?
  private(set) var failures: [RowFailure] = []
  private var positionCount = 0
  /// The end of the last line, if that is a position inserted on the antimeridian.
  private var edge: (longitude: Double, latitude: Double)?

  /// Reads a value recursively, which is safe because JSON is nested in 128 levels at most.
  mutating func read(_ value: JSONValue) {
    switch value["type"]?.string {
    case "FeatureCollection":
      for feature in value["features"]?.elements ?? [] { read(feature) }
    case "Feature":
      guard let geometry = value["geometry"] else { return }
      let (properties, before) = (value["properties"], segments.count)
      read(geometry, properties?["coordinateProperties"], properties?["coordTimes"])
      if name == nil, segments.count > before { name = properties?["name"]?.string }
    default:
      read(value, value["coordinateProperties"], nil)
    }
  }

  private mutating func read(
    _ geometry: JSONValue, _ columns: JSONValue?, _ olderTimes: JSONValue?
  ) {
    let times = columns?["times"] ?? olderTimes
    let accuracies = columns?["accuracies"]
    edge = nil
    switch geometry["type"]?.string {
    case "LineString":
      add(geometry["coordinates"], times, accuracies)
    case "MultiLineString":
      guard let lines = geometry["coordinates"]?.elements else {
        return fail(geometry["coordinates"], "this line isn't a list of positions")
      }
      hasLines = true
      for (index, line) in lines.enumerated() {
        add(line, times?.element(index), accuracies?.element(index))
      }
    case "GeometryCollection":
      for part in geometry["geometries"]?.elements ?? [] { read(part, nil, nil) }
    default: break
    }
  }

  private mutating func add(_ line: JSONValue?, _ times: JSONValue?, _ accuracies: JSONValue?) {
    guard let positions = line?.elements else {
      return fail(line, "this line isn't a list of positions")
    }
    hasLines = true
    var points: [TrackPoint] = []
    for (index, position) in positions.enumerated() {
      defer { positionCount += 1 }
      guard let point = Self.point(position, times?.element(index), accuracies?.element(index))
      else {
        fail(position, "this isn't a longitude and latitude")
        continue
      }
      points.append(point)
    }
    join(points)
  }

  private mutating func fail(_ value: JSONValue?, _ reason: String) {
    let excerpt = String((value?.canonicalText ?? "").prefix(200))
    failures.append(RowFailure(index: positionCount, excerpt: excerpt, reason: reason))
  }

  /// Appends a line, joining it to the last one if they meet on the antimeridian.
  private mutating func join(_ line: [TrackPoint]) {
    var points = line[...]
    if let edge, let first = points.first?.coordinate, first.latitude == edge.latitude,
      first.longitude == -edge.longitude, points.count > 1, !segments.isEmpty
    {
      points = points.dropFirst()
      segments[segments.count - 1].removeLast()
      segments[segments.count - 1] += points
    } else {
      segments.append(Array(points))
    }
    edge = nil
    if let last = points.last, abs(last.coordinate.longitude) == 180, last.time == nil,
      last.elevation == nil, points.count > 1
    {
      edge = (last.coordinate.longitude, last.coordinate.latitude)
    }
  }

  private static func point(
    _ position: JSONValue, _ time: JSONValue?, _ accuracy: JSONValue?
  ) -> TrackPoint? {
    guard let numbers = position.elements, numbers.count >= 2,
      let longitude = numbers[0].double, let latitude = numbers[1].double,
      // Some programs write a line across the antimeridian in one piece, with longitudes below
      // -180.
      let coordinate = Coordinate(
        validLatitude: latitude, longitude: longitude < -180 ? longitude + 360 : longitude)
    else { return nil }
    return TrackPoint(
      coordinate: coordinate, elevation: numbers.count > 2 ? numbers[2].double : nil,
      time: time?.string.flatMap { TimestampParser(zone: .utc).instant($0)?.date },
      accuracy: accuracy?.double.map(Distance.meters))
  }
}

extension JSONValue {
  /// Returns the element of an array, or `nil` if the index is out of range or the value isn't an
  /// array.
  fileprivate func element(_ index: Int) -> JSONValue? {
    guard let elements, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}
