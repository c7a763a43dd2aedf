internal import FieldCore
public import FieldFoundation

extension WalkRoute {
  /// Returns the route as a GPX 1.1 file (UTF-8), which map programs can read.
  ///
  /// ```swift
  /// try route.gpx(name: "Morning").write(to: file)
  /// ```
  public func gpx(name: String? = nil) -> Data { gpx(GPXDetails(name: name)) }

  /// Returns the route as a GPX 1.1 file (UTF-8), with details of the walk.
  ///
  /// Numbers are written so that reading them returns the same values, with longitudes from -180
  /// through 180. Times are UTC, to the millisecond. Empty segments are written too, so that a file
  /// has as many segments as its route. Times outside the years 1 through 9999, elevations that
  /// aren't finite, and control characters, which XML can't represent, are omitted.
  public func gpx(_ details: GPXDetails) -> Data {
    var writer = GPXWriter()
    writer.write(self, details)
    return Data(writer.text.utf8)
  }
}

/// A writer that writes elements in the order that the GPX 1.1 schema requires.
private struct GPXWriter {
  private(set) var text = ""

  mutating func write(_ route: WalkRoute, _ details: GPXDetails) {
    text += #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    text += #"<gpx version="1.1" creator="\#(XMLText.escaped(details.creator))""#
    text += #" xmlns="http://www.topografix.com/GPX/1/1" xmlns:fk="\#(GPXDetails.namespace)">"#
    text += "\n"
    metadata(route, details)
    for waypoint in details.waypoints { write(waypoint) }
    text += "<trk>"
    element("name", details.name)
    element("desc", details.description)
    extensions(details)
    text += "\n"
    for (index, segment) in route.segments.enumerated() {
      text += "<trkseg>\n"
      for point in segment { write(point) }
      if index < details.segmentStarts.count {
        text += "<extensions>"
        element("fk:start", details.segmentStarts[index].rawValue)
        text += "</extensions>"
      }
      text += "</trkseg>\n"
    }
    text += "</trk>\n</gpx>\n"
  }

  private mutating func metadata(_ route: WalkRoute, _ details: GPXDetails) {
    text += "<metadata>"
    element("name", details.name)
    element("desc", details.description)
    plain("time", details.created.flatMap(text(of:)))
    // The schema doesn't allow bounds across the antimeridian, where the smallest longitude is the
    // east.
    if let bounds = route.bounds, !bounds.crossesAntimeridian {
      text += #"<bounds minlat="\#(number(bounds.south))" minlon="\#(number(bounds.west))""#
      text += #" maxlat="\#(number(bounds.north))" maxlon="\#(number(bounds.east))"/>"#
    }
    text += "</metadata>\n"
  }

  private mutating func extensions(_ details: GPXDetails) {
    guard !details.pets.isEmpty || details.weather != nil || details.dust != nil else { return }
    text += "<extensions>"
    for pet in details.pets { element("fk:pet", pet) }
    element("fk:weather", details.weather)
    element("fk:dust", details.dust)
    text += "</extensions>"
  }

  private mutating func write(_ waypoint: GPXDetails.Waypoint) {
    open("wpt", at: waypoint.coordinate)
    plain("ele", waypoint.elevation.flatMap(decimal))
    plain("time", waypoint.time.flatMap(text(of:)))
    element("name", waypoint.name)
    element("desc", waypoint.description)
    if let link = waypoint.link {
      text += #"<link href="\#(XMLText.escaped(link.absoluteString))"/>"#
    }
    element("type", waypoint.kind)
    text += "</wpt>\n"
  }

  private mutating func write(_ point: TrackPoint) {
    open("trkpt", at: point.coordinate)
    plain("ele", point.elevation.flatMap(decimal))
    plain("time", point.time.flatMap(text(of:)))
    if let accuracy = point.accuracy.flatMap({ decimal($0.meters) }) {
      text += "<extensions><fk:accuracy>\(accuracy)</fk:accuracy></extensions>"
    }
    text += "</trkpt>\n"
  }

  private mutating func open(_ name: String, at coordinate: Coordinate) {
    let place = coordinate.normalized
    text += #"<\#(name) lat="\#(number(place.latitude))" lon="\#(number(place.longitude))">"#
  }

  private mutating func element(_ name: String, _ content: String?) {
    plain(name, content.map(XMLText.escaped))
  }

  /// Writes an element whose content needs no escaping.
  private mutating func plain(_ name: String, _ content: String?) {
    guard let content else { return }
    text += "<"
    text += name
    text += ">"
    text += content
    text += "</"
    text += name
    text += ">"
  }

  private func decimal(_ value: Double) -> String? { value.isFinite ? number(value) : nil }

  private func number(_ value: Double) -> String { NumberStyle.plain.string(exactly: value) }

  /// Returns a time of XML Schema in UTC, with milliseconds if there are any, or `nil` outside the
  /// years 1 through 9999.
  private func text(of date: Date) -> String? {
    let years = -62_135_596_800..<253_402_300_799.0
    guard years.contains(date.timeIntervalSince1970) else { return nil }
    let text = TimestampWriter.iso8601(date)
    return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
  }
}

// MARK: - Geo JSON

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

// MARK: - SVG

extension WalkRoute {
  /// Returns the route as the data of an SVG `path`, north up, fitted to and centered in a
  /// rectangle.
  ///
  /// ```swift
  /// let svg = "<svg viewBox='0 0 400 300'><path d='\(route.svgPath(width: 400, height: 300))'/></svg>"
  /// ```
  ///
  /// Each segment is a separate line. A segment with a single point becomes a line of length zero,
  /// which round caps draw as a dot. Coordinates have one decimal place. The scales are those in
  /// the middle of the route, so that it keeps its shape. Returns an empty string if the route has
  /// no points or the rectangle has no area.
  ///
  /// - Parameters:
  ///   - width: The width of the rectangle, in units of the drawing.
  ///   - height: The height of the rectangle.
  ///   - margin: The margin on all sides. Defaults to 8.
  public func svgPath(width: Double, height: Double, margin: Double = 8) -> String {
    let room = (width: width - 2 * margin, height: height - 2 * margin)
    guard let bounds, room.width > 0, room.height > 0, room.width.isFinite, room.height.isFinite
    else { return "" }
    // How much shorter a degree of longitude is than one of latitude there, on the WGS 84
    // ellipsoid.
    let cosine = Angle.cosine(bounds.center.latitude * .pi / 180)
    let flattening = 1 + 0.006_739_496_742_28 * cosine * cosine
    let squeeze = max(cosine * flattening, 1e-6)
    let extent = (width: bounds.longitudeSpan * squeeze, height: bounds.latitudeSpan)
    let scale = min(
      extent.width > 0 ? room.width / extent.width : .infinity,
      extent.height > 0 ? room.height / extent.height : .infinity)
    // A single place is in the middle, at any scale.
    let factor = scale.isFinite ? scale : 0
    let left = (width - extent.width * factor) / 2
    let top = (height - extent.height * factor) / 2

    func place(_ point: TrackPoint) -> String {
      let coordinate = point.coordinate.normalized
      let east = coordinate.longitude - bounds.west
      let x = left + (east < 0 ? east + 360 : east) * squeeze * factor
      let y = top + (bounds.north - coordinate.latitude) * factor
      return "\((x * 10).rounded() / 10) \((y * 10).rounded() / 10)"
    }
    return segments.lazy.filter { !$0.isEmpty }.map { segment in
      let places = segment.map(place)
      // A move without a line draws nothing.
      return "M" + (places.count > 1 ? places : places + places).joined(separator: "L")
    }.joined()
  }
}
