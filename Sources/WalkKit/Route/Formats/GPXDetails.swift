public import FieldCore
public import FieldFoundation

/// What a GPX file says beside the points of a ``WalkRoute``.
///
/// What GPX has words for is written in them; the rest stands in `extensions` of the namespace
/// ``namespace``, which other programs pass over. ``init(track:)`` reads them again, whichever program has
/// written the file since.
public struct GPXDetails: Sendable, Hashable, Codable {
  /// The namespace of what GPX has no word for: `urn:fieldkit:gpx:1`.
  public static let namespace = "urn:fieldkit:gpx:1"

  /// The name of the walk.
  public var name: String?
  /// A sentence about the walk.
  public var description: String?
  /// The program that the file names as its maker; `FieldKit`.
  public var creator: String
  /// When the file was made; nil leaves it out.
  public var created: Date?
  /// The names of the pets that came along.
  public var pets: [String]
  /// The weather, such as ``WalkWeather``'s raw value.
  public var weather: String?
  /// The grade of the fine dust, such as ``DustGrade``'s raw value.
  public var dust: String?
  /// Why each segment begins, in the order of the segments; those beyond the end are not told. GPX
  /// itself cannot tell a pause from a gap.
  public var segmentStarts: [SegmentStart]
  /// Photos, notes and the like, each a place of its own.
  public var waypoints: [Waypoint]

  /// Makes details.
  public init(
    name: String? = nil, description: String? = nil, creator: String = "FieldKit",
    created: Date? = nil, pets: [String] = [], weather: String? = nil, dust: String? = nil,
    segmentStarts: [SegmentStart] = [], waypoints: [Waypoint] = []
  ) {
    self.name = name
    self.description = description
    self.creator = creator
    self.created = created
    self.pets = pets
    self.weather = weather
    self.dust = dust
    self.segmentStarts = segmentStarts
    self.waypoints = waypoints
  }

  /// Creates details from what a GPX file says about a track in the namespace ``namespace``: its pets, its
  /// weather and dust, and why its segments begin.
  ///
  /// ```swift
  /// let document = try GPXDocument(data: file)             // FieldXML
  /// let route = Route(track: document.tracks[0])
  /// let details = GPXDetails(track: document.tracks[0])
  /// ```
  ///
  /// A name without a namespace counts, too, because some programs lose the declaration.
  public init(track: Track) {
    let own = track.extensions.filter { $0.namespace.isEmpty || $0.namespace == Self.namespace }
    let texts = Dictionary(grouping: own.filter { $0.segment == nil }, by: \.name)
      .mapValues { $0.map(\.text) }
    self.init(
      name: track.name, pets: texts["pet"] ?? [], weather: texts["weather"]?.first,
      dust: texts["dust"]?.first)
    let starts = Dictionary(
      own.filter { $0.name == "start" }.map { ($0.segment, $0.text) },
      uniquingKeysWith: { first, _ in first })
    while let start = starts[segmentStarts.count] {
      segmentStarts.append(SegmentStart(rawValue: start))
    }
  }

  /// Why a segment begins: an open set of words.
  public struct SegmentStart: RawRepresentable, Sendable, Hashable, Codable {
    /// The word in the file.
    public var rawValue: String
    /// Makes a reason of its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The walk begins.
    public static let start = SegmentStart(rawValue: "start")
    /// A pause that somebody asked for is over.
    public static let resumed = SegmentStart(rawValue: "resumed")
    /// The signal is back, or a jump was left out.
    public static let gap = SegmentStart(rawValue: "gap")
    /// The walk goes on after the app was ended.
    public static let recovered = SegmentStart(rawValue: "recovered")
  }

  /// A place beside the track.
  public struct Waypoint: Sendable, Hashable, Codable {
    /// The place.
    public var coordinate: Coordinate
    /// Metres above the reference of the track.
    public var elevation: Double?
    /// When something was there.
    public var time: Date?
    /// A name to show.
    public var name: String?
    /// A text about it.
    public var description: String?
    /// Where there is more, such as a photo.
    public var link: URL?
    /// What it is: `photo`, `note`.
    public var kind: String?

    /// Makes a place.
    public init(
      coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil, name: String? = nil,
      description: String? = nil, link: URL? = nil, kind: String? = nil
    ) {
      self.coordinate = coordinate
      self.elevation = elevation
      self.time = time
      self.name = name
      self.description = description
      self.link = link
      self.kind = kind
    }
  }
}
