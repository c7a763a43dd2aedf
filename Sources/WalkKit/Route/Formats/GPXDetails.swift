public import FieldCore
public import FieldFoundation

/// The content of a GPX file in addition to the points of a ``WalkRoute``.
///
/// Standard GPX elements are used where they exist. Everything else is in `extensions` in the
/// namespace ``namespace``, which other programs ignore. Use ``init(track:)`` to read it, even if
/// another program has since rewritten the file.
public struct GPXDetails: Sendable, Hashable, Codable {
  /// The namespace of extension elements: `urn:fieldkit:gpx:1`.
  public static let namespace = "urn:fieldkit:gpx:1"

  /// The name of the walk.
  public var name: String?
  /// A description of the walk.
  public var description: String?
  /// The program named as the creator of the file.
  ///
  /// Defaults to `FieldKit`.
  public var creator: String
  /// The date on which the file was created; `nil` to omit it.
  public var created: Date?
  /// The names of the pets on the walk.
  public var pets: [String]
  /// The weather, such as the raw value of a ``WalkWeather``.
  public var weather: String?
  /// The grade of the fine dust, such as the raw value of a ``DustGrade``.
  public var dust: String?
  /// The reasons that segments begin, in the order of the segments; any beyond the last segment are
  /// ignored.
  ///
  /// Standard GPX can't distinguish a pause from a gap.
  public var segmentStarts: [SegmentStart]
  /// Additional places, such as those of photos and notes.
  public var waypoints: [Waypoint]

  /// Creates details.
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

  /// Creates details from a track of a GPX file.
  ///
  /// The pets, weather, dust, and reasons for segments are read from the namespace ``namespace``.
  ///
  /// ```swift
  /// let document = try GPXDocument(data: file)             // FieldXML
  /// let route = WalkRoute(track: document.tracks[0])
  /// let details = GPXDetails(track: document.tracks[0])
  /// ```
  ///
  /// Names without a namespace are also read, because some programs lose the declaration.
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

  /// The reason that a segment begins, as an open set of names.
  public struct SegmentStart: RawRepresentable, Sendable, Hashable, Codable {
    /// The name in the file.
    public var rawValue: String
    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The walk begins.
    public static let start = SegmentStart(rawValue: "start")
    /// The owner resumed the walk after a pause.
    public static let resumed = SegmentStart(rawValue: "resumed")
    /// The signal returned, or a jump was removed.
    public static let gap = SegmentStart(rawValue: "gap")
    /// The walk was resumed after the app quit.
    public static let recovered = SegmentStart(rawValue: "recovered")
  }

  /// A place in addition to the track.
  public struct Waypoint: Sendable, Hashable, Codable {
    /// The location of the place.
    public var coordinate: Coordinate
    /// The elevation in meters, relative to the same reference as the track.
    public var elevation: Double?
    /// The date of the event at the place.
    public var time: Date?
    /// A name to display.
    public var name: String?
    /// A description.
    public var description: String?
    /// A link to more, such as a photo.
    public var link: URL?
    /// The kind of place, such as `photo` or `note`.
    public var kind: String?

    /// Creates a waypoint.
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
