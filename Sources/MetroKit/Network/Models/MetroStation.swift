public import FieldCore

/// A station of the metro: all platforms of one name, on however many lines.
///
/// Stations are known by their Chinese name, so 台北車站 is one station with the codes `BL12` and
/// `R10`. They come from a ``MetroNetwork``, which finds them by any spelling.
///
/// Source: TDX (交通部運輸資料流通服務平臺), stations of TRTC and NTMC; exits from data.taipei.
public struct MetroStation: Identifiable, Hashable, Sendable, Codable {
  /// The Chinese name, as a key.
  public var id: ID
  /// The English name, such as `Taipei Main Station`.
  public var englishName: String
  /// The Japanese name; nil when the source has none.
  public var japaneseName: String?
  /// The Korean name; nil when the source has none.
  public var koreanName: String?
  /// Where the station is: the place of its first stop. The stops of one station can be some hundred
  /// metres apart; see ``stops``.
  public var coordinate: Coordinate
  /// Where the lines stop: one for each line, in the order of the network's lines. Never empty.
  public var stops: [Stop]
  /// The ways out, as data.taipei listed them in 2015; empty where that list knows none, as for the
  /// stations of the Circular line.
  public var exits: [Exit]

  /// Makes a station.
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

  /// The identifier of a station: its Chinese name as the operator writes it, such as `台北車站`.
  ///
  /// An ID isn't resolved; for other spellings, use ``MetroNetwork/station(named:)``.
  public typealias ID = RecordID<MetroStation>

  /// The Chinese name without 站 at its end, unless that belongs to it: `淡水`, `台北車站`.
  public var name: String { id.rawValue }

  /// The codes of the station, such as `BL12` and `R10`.
  public var codes: [Code] { stops.map(\.code) }

  /// The lines that stop here.
  public var lines: [MetroLine.ID] { stops.map(\.line) }

  /// Whether one can change between lines here without leaving the gates' area.
  public var isTransfer: Bool { stops.count > 1 }
}

extension MetroStation: CustomStringConvertible {
  /// The codes and the name, such as `BL12 R10 台北車站`.
  public var description: String {
    "\(codes.map(\.rawValue).joined(separator: " ")) \(name)".printable
  }
}
