public import FieldCore

/// A stop, a platform, a station, or an entrance of a timetable.
public struct TransitStop: Sendable, Hashable, Identifiable {
  /// The ID in the feed.
  public let id: String
  /// The name; `nil` if the feed has none.
  public let name: String?
  /// The short text or number that passengers know the stop by.
  public let code: String?
  /// The platform, such as `3`.
  public let platform: String?
  /// The location; `nil` if the feed has none.
  public let coordinate: Coordinate?
  /// The ID of the station to which the stop belongs.
  public let stationID: String?
  /// A Boolean value that indicates whether this is a station, of which platforms are part.
  public let isStation: Bool
  /// A Boolean value that indicates whether wheelchairs can board; `nil` if unknown.
  public let isWheelchairAccessible: Bool?
}

/// A line of a timetable.
public struct TransitRoute: Sendable, Hashable, Identifiable {
  /// The ID in the feed.
  public let id: String
  /// The short name, such as `Q` or `307`.
  public let shortName: String?
  /// The full name.
  public let longName: String?
  /// The kind of vehicle.
  public let mode: TransitMode
  /// The color, as six hexadecimal digits.
  public let color: String?
  /// The color of texts on ``color``.
  public let textColor: String?
  /// The name of the agency.
  public let agency: String?
}

/// A kind of vehicle, as a value of `route_type` in GTFS.
public struct TransitMode: RawRepresentable, Sendable, Hashable, Codable {
  /// The value of `route_type`.
  public let rawValue: Int

  /// Creates a kind of vehicle.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Trams and light rail.
  public static var tram: Self { Self(rawValue: 0) }
  /// Undergrounds and metros.
  public static var subway: Self { Self(rawValue: 1) }
  /// Trains.
  public static var rail: Self { Self(rawValue: 2) }
  /// Buses.
  public static var bus: Self { Self(rawValue: 3) }
  /// Ferries.
  public static var ferry: Self { Self(rawValue: 4) }
}

extension TimetableContents {
  /// Returns the stop of a node.
  func transitStop(_ node: Int) -> TransitStop {
    let stop = stop(ofNode: node)
    let at = stop * 7
    let (latitude, longitude) = (Int32(bitPattern: stops[at + 3]), Int32(bitPattern: stops[at + 4]))
    let station = stops[at + 6]
    let wheelchair = stops[at + 5] >> 8 & 0xFF
    return TransitStop(
      id: Self.text(stopIDStarts, stopIDBytes, stop), name: text(stops[at], .stopName, of: stop),
      code: string(stops[at + 1]), platform: text(stops[at + 2], .platform, of: stop),
      coordinate: latitude == .min
        ? nil
        : Coordinate(validLatitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7),
      stationID: station == .max ? nil : Self.text(stopIDStarts, stopIDBytes, Int(station)),
      isStation: stops[at + 5] & 0xFF == 1,
      isWheelchairAccessible: wheelchair == 1 ? true : wheelchair == 2 ? false : nil)
  }

  func transitRoute(_ route: Int) -> TransitRoute {
    func color(_ number: UInt32) -> String? {
      number > 0xFF_FFFF ? nil : number.digits(6, radix: 16).uppercased()
    }
    let at = route * 6
    let agency = routes[at + 5]
    return TransitRoute(
      id: Self.text(routeIDStarts, routeIDBytes, route),
      shortName: text(routes[at], .routeShortName, of: route),
      longName: text(routes[at + 1], .routeLongName, of: route),
      mode: TransitMode(rawValue: Int(Int32(bitPattern: routes[at + 2]))),
      color: color(routes[at + 3]), textColor: color(routes[at + 4]),
      agency: agency == .max
        ? nil : text(agencies[Int(agency) * 2], .agency, of: Int(agency)))
  }
}
