internal import FieldCore
public import FieldFoundation

extension WalkRoute {
  /// Returns the route as GeoJSON (RFC 7946, UTF-8): one feature with one line for each segment.
  ///
  /// Positions consist of longitude, latitude, and, if known, elevation in meters. The times are in
  /// `properties.coordinateProperties.times`, where other programs that convert GPX to GeoJSON also
  /// write them, and the accuracies in meters are in `accuracies`. A missing value is `null`, and
  /// each array is omitted if no point has a value.
  ///
  /// A leg across the antimeridian is cut there, as the RFC requires (3.1.9), and ``GeoJSONRoute``
  /// joins it again. A line has at least two positions, so a segment with a single point is
  /// omitted.
  public func geoJSON(name: String? = nil) -> Data {
    Data(GeoJSONLines(self).feature(name: name).canonicalText.utf8)
  }

  /// Creates one route from the lines of GeoJSON; use ``GeoJSONRoute`` to see what couldn't be
  /// read.
  ///
  /// - Throws: The same errors as ``GeoJSONRoute/init(_:)``.
  public init(geoJSON: Data) throws { self = try GeoJSONRoute(geoJSON).route }
}

/// The segments of a route as the lines of a geometry, cut at the antimeridian.
private struct GeoJSONLines {
  private typealias Position = (place: JSONValue, time: JSONValue, accuracy: JSONValue)

  private var lines: [[Position]] = []
  private let hasTimes: Bool
  private let hasAccuracies: Bool

  init(_ route: WalkRoute) {
    hasTimes = route.segments.contains { $0.contains { $0.time != nil } }
    hasAccuracies = route.segments.contains { $0.contains { $0.accuracy != nil } }
    for segment in route.segments where segment.count > 1 {
      lines.append([])
      var last: Coordinate?
      for point in segment {
        let place = point.coordinate.normalized
        if let last, abs(place.longitude - last.longitude) > 180 { cross(from: last, to: place) }
        add(point, at: place)
        last = place
      }
    }
  }

  private mutating func append(_ place: [JSONValue], _ time: JSONValue, _ accuracy: JSONValue) {
    lines[lines.count - 1].append((.array(place), time, accuracy))
  }

  private mutating func add(_ point: TrackPoint, at place: Coordinate) {
    var position = [number(place.longitude), number(place.latitude)]
    if let elevation = point.elevation, elevation.isFinite { position.append(number(elevation)) }
    append(
      position, point.time.map { .string(TimestampWriter.iso8601($0)) } ?? .null,
      point.accuracy.map { number($0.meters) } ?? .null)
  }

  /// Ends the line at the antimeridian and begins another one on the other side.
  private mutating func cross(from start: Coordinate, to end: Coordinate) {
    let edge = start.longitude > 0 ? 180.0 : -180.0
    let span = end.longitude + 2 * edge - start.longitude
    let part = span == 0 ? 0 : (edge - start.longitude) / span
    let latitude = start.latitude + (end.latitude - start.latitude) * part
    append([number(edge), number(latitude)], .null, .null)
    lines.append([])
    append([number(-edge), number(latitude)], .null, .null)
  }

  private func number(_ value: Double) -> JSONValue {
    value.isFinite ? .number(NumberStyle.plain.string(exactly: value)) : .null
  }

  func feature(name: String?) -> JSONValue {
    func column(_ value: (Position) -> JSONValue) -> JSONValue {
      .array(lines.map { .array($0.map(value)) })
    }
    let columns: JSONValue = [
      "times": hasTimes ? column { $0.time } : nil,
      "accuracies": hasAccuracies ? column { $0.accuracy } : nil,
    ]
    return [
      "type": "Feature",
      "properties": [
        "name": name.map { .string($0) },
        "coordinateProperties": hasTimes || hasAccuracies ? columns : nil,
      ],
      "geometry": ["type": "MultiLineString", "coordinates": column { $0.place }],
    ]
  }
}
