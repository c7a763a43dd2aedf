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
/// skipped. Times are read from `times` or `coordTimes`, in the properties of a feature or in its
/// `coordinateProperties`: one list for each line, or one for all positions. A time is text, or a
/// number of seconds or milliseconds since 1970. Lines that were cut at the antimeridian are joined,
/// and longitudes that continue across it, such as -180.1, are the same places within -180 and 180.
public struct GeoJSONRoute: Sendable, Hashable, Codable {
  /// The route with all lines.
  public var route: WalkRoute
  /// The first name of a feature that contains a line.
  public var name: String?
  /// The failures: invalid positions by their number in the file, lines that aren't arrays by the
  /// number of the position after them, and, with the key `times`, unreadable times by the number of
  /// their position.
  ///
  /// Everything else is in the route, including the positions of unreadable times.
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
      read(geometry, [properties?["coordinateProperties"], properties].compactMap(\.self))
      if name == nil, segments.count > before { name = properties?["name"]?.string }
    default:
      read(value, [value["coordinateProperties"], value].compactMap(\.self))
    }
  }

  /// Reads the lines of a geometry, whose times and accuracies are in the first of the objects that
  /// has them.
  private mutating func read(_ geometry: JSONValue, _ properties: [JSONValue]) {
    var lines: [JSONValue?] = []
    collectLines(of: geometry, into: &lines)
    func column(_ names: String...) -> Column {
      let known = properties.lazy.flatMap { object in names.lazy.compactMap { object[$0] } }
      return Column(known.first { $0.elements != nil }, lineCount: lines.count)
    }
    let (times, accuracies) = (column("times", "coordTimes"), column("accuracies"))
    edge = nil
    var position = 0
    for (index, line) in lines.enumerated() {
      add(line) { place in
        (times.value(index, place, position), accuracies.value(index, place, position))
      }
      position += line?.elements?.count ?? 0
    }
  }

  private mutating func collectLines(of geometry: JSONValue, into lines: inout [JSONValue?]) {
    switch geometry["type"]?.string {
    case "LineString": lines.append(geometry["coordinates"])
    case "MultiLineString":
      guard let parts = geometry["coordinates"]?.elements else {
        return fail(geometry["coordinates"], "this line isn't a list of positions")
      }
      hasLines = true
      lines += parts
    case "GeometryCollection":
      for part in geometry["geometries"]?.elements ?? [] { collectLines(of: part, into: &lines) }
    default: break
    }
  }

  /// The values that a file has beside the positions of its lines.
  private struct Column {
    private var values: [JSONValue] = []
    private var isByLine = false

    init(_ value: JSONValue?, lineCount: Int) {
      values = value?.elements ?? []
      isByLine = values.contains { $0.elements != nil } || values.isEmpty
      // A single line may have its list alone, or in a list of lines.
      if lineCount == 1, isByLine { (values, isByLine) = (values.first?.elements ?? [], false) }
    }

    /// Returns the value of a position by its line and place there, where `offset` positions are in
    /// the lines before.
    func value(_ line: Int, _ place: Int, _ offset: Int) -> JSONValue? {
      guard isByLine else { return Self.element(offset + place, of: values) }
      return Self.element(line, of: values)?.elements.flatMap { Self.element(place, of: $0) }
    }

    private static func element(_ index: Int, of values: [JSONValue]) -> JSONValue? {
      values.indices.contains(index) ? values[index] : nil
    }
  }

  private mutating func add(
    _ line: JSONValue?, _ values: (_ place: Int) -> (time: JSONValue?, accuracy: JSONValue?)
  ) {
    guard let positions = line?.elements else {
      return fail(line, "this line isn't a list of positions")
    }
    hasLines = true
    var points: [TrackPoint] = []
    for (place, position) in positions.enumerated() {
      defer { positionCount += 1 }
      guard var point = Self.point(position) else {
        fail(position, "this isn't a longitude and latitude")
        continue
      }
      let (time, accuracy) = values(place)
      point.time = time.flatMap(Self.date)
      point.accuracy = accuracy?.double.map(Distance.meters)
      if let time, time != .null, point.time == nil {
        fail(time, key: "times", "this time can't be read")
      }
      points.append(point)
    }
    join(points)
  }

  private mutating func fail(_ value: JSONValue?, key: String? = nil, _ reason: String) {
    let excerpt = String((value?.canonicalText ?? "").prefix(200))
    failures.append(RowFailure(index: positionCount, key: key, excerpt: excerpt, reason: reason))
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

  private static func point(_ position: JSONValue) -> TrackPoint? {
    guard let numbers = position.elements, numbers.count >= 2,
      let longitude = numbers[0].double, let latitude = numbers[1].double,
      let coordinate = Coordinate(validLatitude: latitude, unwrappedLongitude: longitude)
    else { return nil }
    return TrackPoint(
      coordinate: coordinate, elevation: numbers.count > 2 ? numbers[2].double : nil)
  }

  /// Returns the date of a text, or of a number of seconds or milliseconds.
  private static func date(_ time: JSONValue) -> Date? {
    if let date = time.string.flatMap({ TimestampParser(zone: .utc).instant($0)?.date }) {
      return date
    }
    guard let number = time.double else { return nil }
    // As seconds, this is the year 5138; as milliseconds, 1973.
    let seconds = abs(number) < 1e11 ? number : number / 1000
    // Through the year 9999, as in texts.
    guard abs(seconds) < 253_402_300_800 else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }
}
