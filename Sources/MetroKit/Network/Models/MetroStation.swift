public import FieldCore

/// A station of the metro: all platforms with the same name, on any number of lines.
///
/// Stations are identified by their Chinese names, so 台北車站 is one station with the codes `BL12` and
/// `R10`. They come from a ``MetroNetwork``, which finds them by any spelling.
///
/// Source: TDX (交通部運輸資料流通服務平臺), stations of TRTC and NTMC; exits from data.taipei.
public struct MetroStation: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The station's ID: its Chinese name.
  public var id: ID
  /// The English name, such as `Taipei Main Station`.
  public var englishName: String
  /// The Japanese name; `nil` if the source has none.
  public var japaneseName: String?
  /// The Korean name; `nil` if the source has none.
  public var koreanName: String?
  /// The location of the station's first stop; for the others, up to several hundred meters away,
  /// see ``stops``.
  public var coordinate: Coordinate
  /// The stops, one for each line in the order of the network's lines; never empty.
  public var stops: [Stop]
  /// The exits in data.taipei's list of 2015; empty if the list has none, as for the stations of
  /// the Circular line.
  public var exits: [Exit]

  /// Creates a station.
  public init(
    id: ID, englishName: String, japaneseName: String? = nil, koreanName: String? = nil,
    coordinate: Coordinate, stops: [Stop], exits: [Exit] = []
  ) {
    self.id = id
    self.englishName = englishName
    self.japaneseName = japaneseName
    self.koreanName = koreanName
    self.coordinate = coordinate
    self.stops = stops
    self.exits = exits
  }

  /// The identifier of a station: its Chinese name in the operator's spelling, such as `台北車站`.
  ///
  /// An ID isn't resolved; for other spellings, use ``MetroNetwork/station(named:)``.
  public typealias ID = RecordID<MetroStation>

  /// The Chinese name without a final 站, unless that belongs to it: `淡水`, `台北車站`.
  public var name: String { id.rawValue }

  /// The codes of the station, such as `BL12` and `R10`.
  public var codes: [Code] { stops.map(\.code) }

  /// The lines that serve the station.
  public var lines: [MetroLine.ID] { stops.map(\.line) }

  /// A Boolean value that indicates whether passengers can change lines inside the fare gates.
  public var isTransfer: Bool { stops.count > 1 }

  /// A description with the codes and the name, such as `BL12 R10 台北車站`.
  public var description: String {
    "\(codes.map(\.rawValue).joined(separator: " ")) \(name)".printable
  }
}

extension MetroStation {
  /// The code of a line's stop at a station, as on the signs: `BL12`, `R22A`.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The text of the code.
    public var rawValue: String

    /// Creates a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension MetroStation.Code: ExpressibleByStringLiteral {
  /// Creates a code from its text.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension MetroStation.Code: CustomStringConvertible {
  /// The text of the code.
  public var description: String { rawValue }
}

extension MetroStation {
  /// An exit of a station.
  public struct Exit: Hashable, Sendable, Codable, Identifiable {
    /// The number on the signs, such as `1`, `2A`, or `M3`; `nil` if the exit has none.
    public var number: String?
    /// The location where the exit reaches the surface.
    public var coordinate: Coordinate

    /// Creates an exit.
    public init(number: String?, coordinate: Coordinate) {
      self.number = number
      self.coordinate = coordinate
    }

    /// The location, which is unique for each exit of a station.
    public var id: Coordinate { coordinate }
  }
}

extension MetroStation {
  /// A line's stop at a station.
  public struct Stop: Hashable, Sendable, Codable, Identifiable {
    /// The code on the signs, such as `BL12`.
    public var code: Code
    /// The line that serves the stop.
    public var line: MetroLine.ID
    /// The location of the stop according to TDX, to six decimal places of a degree.
    public var coordinate: Coordinate

    /// Creates a stop.
    public init(code: Code, line: MetroLine.ID, coordinate: Coordinate) {
      self.code = code
      self.line = line
      self.coordinate = coordinate
    }

    /// The code.
    public var id: MetroStation.Code { code }
  }
}

/// Two stations with different names between which passengers change along the street.
///
/// In Taipei, these are 新埔 (`BL08`) and 新埔民生 (`Y17`), 320 m apart. None of the network's sources
/// confirms the walk; it is general knowledge. A route that uses it is therefore marked as
/// ``MetroRoute/Certainty-swift.enum/unconfirmedWalk``.
public struct MetroWalk: Hashable, Sendable, Codable {
  /// One of the stations.
  public var from: MetroStation.ID
  /// The other station; the walk is the same in both directions.
  public var to: MetroStation.ID

  /// Creates a pair of stations.
  public init(from: MetroStation.ID, to: MetroStation.ID) {
    self.from = from
    self.to = to
  }
}

/// A station and the distance to the nearest of its stops.
public typealias NearbyStation = NearbyRecord<MetroStation>

extension NearbyStation {
  /// The station.
  public var station: MetroStation { record }
}
