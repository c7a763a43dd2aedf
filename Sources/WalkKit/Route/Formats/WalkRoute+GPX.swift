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
