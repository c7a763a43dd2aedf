internal import FieldCore
internal import FieldFoundation

/// The stored form of a route: a header, and the columns of each segment as compressed differences.
///
/// | Value | Stored as |
/// |---|---|
/// | latitude, longitude | integers of 1e-8 degrees (1.1 mm) |
/// | time | milliseconds since 1970 |
/// | elevation | centimeters |
/// | accuracy | decimeters |
///
/// With 1e-7 degrees, rounding would lengthen a walk of one fix per second by some millionths,
/// because every short leg would zigzag; with 1e-8, by less than a ten-millionth.
///
/// The header is the version, the number of segments, and for each segment its number of points and
/// the columns that it has. There is no checksum, because a blob is named by the hash of its
/// content.
extension WalkRoute {
  private static let version: UInt8 = 1

  /// Returns the stored form, in which numbers that aren't finite or are too large are missing.
  package func encoded() -> [UInt8] {
    var head = RecordWriter()
    var columns = RiceWriter()
    head.write(byte: Self.version)
    head.write(UInt64(segments.count))
    for segment in segments {
      head.write(UInt64(segment.count))
      columns.write(segment.map { Scale.degrees.whole($0.coordinate.latitude) ?? 0 })
      columns.write(segment.map { Scale.degrees.whole($0.coordinate.longitude) ?? 0 })
      var presence: UInt8 = 0
      for (place, column) in OptionalColumn.allCases.enumerated() {
        let values = segment.map(column.whole)
        let kind = Presence(values)
        presence |= kind.rawValue << UInt8(2 * place)
        if kind == .some { for value in values { columns.write(value != nil) } }
        columns.write(values.compactMap(\.self))
      }
      head.write(byte: presence)
    }
    return head.bytes + columns.finish()
  }

  /// Reads the stored form.
  ///
  /// - Throws: `FieldError` with the code `store.damaged` if the bytes aren't in the form of
  ///   ``encoded()``, and `store.newerFormat` if a later version wrote them.
  package init(decoding bytes: [UInt8]) throws {
    var head = RecordReader(bytes, bytes.indices)
    let version = try head.byte()
    guard version <= Self.version, version > 0 else {
      throw FieldError(
        version == 0 ? .damaged : .newerFormat,
        "A stored route has version \(version), but \(Self.version) is the newest known.")
    }
    let parts = try (0..<head.count()).map { _ in
      (count: try head.uint(), presence: try head.byte())
    }
    var columns = RiceReader(bytes[(bytes.count - head.remainingCount)...])
    segments = try parts.map { part in
      // A point takes at least two bits, so a wrong count can't cause a large allocation.
      guard part.count <= UInt64(columns.remainingCount / 2) else {
        throw FieldError(.damaged, "A stored route has fewer points than it claims.")
      }
      return try Self.segment(Int(part.count), part.presence, &columns)
    }
    guard columns.remainingCount < 8 else {
      throw FieldError(.damaged, "A stored route continues beyond its end.")
    }
  }

  private static func segment(
    _ count: Int, _ presence: UInt8, _ columns: inout RiceReader
  ) throws -> [TrackPoint] {
    let latitudes = try columns.column(count)
    let longitudes = try columns.column(count)
    var points = try zip(latitudes, longitudes).map { latitude, longitude in
      guard
        let coordinate = Coordinate(
          validLatitude: Scale.degrees.double(latitude),
          longitude: Scale.degrees.double(longitude))
      else { throw FieldError(.damaged, "A stored route has an invalid coordinate.") }
      return TrackPoint(coordinate: coordinate)
    }
    guard presence >> UInt8(2 * OptionalColumn.allCases.count) == 0 else {
      throw FieldError(.damaged, "A stored route has unknown columns.")
    }
    for (place, column) in OptionalColumn.allCases.enumerated() {
      let indices: [Int]
      switch Presence(rawValue: presence >> UInt8(2 * place) & 3) {
      case .none?: continue
      case .all?: indices = Array(points.indices)
      case .some?: indices = try points.indices.filter { _ in try columns.bit() }
      case nil: throw FieldError(.damaged, "A stored route has an unknown kind of column.")
      }
      for (index, value) in zip(indices, try columns.column(indices.count)) {
        column.set(&points[index], value)
      }
    }
    return points
  }
}

/// The conversion of a quantity to an integer.
private struct Scale {
  let unitsPerOne: Double

  static let degrees = Scale(unitsPerOne: 1e8)
  static let seconds = Scale(unitsPerOne: 1e3)
  static let elevation = Scale(unitsPerOne: 100)
  static let accuracy = Scale(unitsPerOne: 10)

  /// Returns the nearest integer number of units, or `nil` if there are so many that a date in
  /// doubles doesn't keep its milliseconds.
  func whole(_ value: Double) -> Int64? {
    let scaled = (value * unitsPerOne).rounded()
    return abs(scaled) < 1e15 ? Int64(scaled) : nil
  }

  func double(_ whole: Int64) -> Double { Double(whole) / unitsPerOne }
}

/// The points of a segment that have a value.
private enum Presence: UInt8 {
  case none, all, some

  init(_ values: [Int64?]) {
    let count = values.count { $0 != nil }
    self = count == 0 ? .none : count == values.count ? .all : .some
  }
}

/// A value that points may lack.
private enum OptionalColumn: CaseIterable {
  // In the order in which they are stored.
  case time, elevation, accuracy

  func whole(_ point: TrackPoint) -> Int64? {
    switch self {
    case .time: point.time.flatMap { Scale.seconds.whole($0.timeIntervalSince1970) }
    case .elevation: point.elevation.flatMap(Scale.elevation.whole)
    case .accuracy: (point.accuracy?.meters).flatMap(Scale.accuracy.whole)
    }
  }

  func set(_ point: inout TrackPoint, _ whole: Int64) {
    switch self {
    case .time: point.time = Self.date(milliseconds: whole)
    case .elevation: point.elevation = Scale.elevation.double(whole)
    case .accuracy: point.accuracy = .meters(Scale.accuracy.double(whole))
    }
  }

  /// Adds whole seconds and the rest separately, relative to the reference date, as the parser
  /// does, so that a time with milliseconds is restored as exactly the same double.
  private static func date(milliseconds: Int64) -> Date {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let floor = rest < 0 ? seconds - 1 : seconds
    let above = rest < 0 ? rest + 1000 : rest
    return Date(timeIntervalSinceReferenceDate: Double(floor - 978_307_200) + Double(above) / 1000)
  }
}

// MARK: - Codable

extension WalkRoute: Codable {
  private enum CodingKeys: String, CodingKey { case segments }

  /// Creates a route from an object with `segments`, as ``encode(to:)`` writes it.
  ///
  /// - Throws: `DecodingError` if columns differ in length or a coordinate is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      segments: try container.decode([SegmentColumns].self, forKey: .segments).map(\.points))
  }

  /// Writes all numbers exactly, with one object of columns for each segment.
  ///
  /// The columns are `latitudes`, `longitudes`, and, if any points have them, `elevations`
  /// (meters), `times`, and `accuracies` (meters), with `null` for missing values.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(segments.map(SegmentColumns.init), forKey: .segments)
  }
}

/// The encoded form of a segment, whose columns take a third of the space of one object per point.
private struct SegmentColumns: Codable {
  private enum CodingKeys: String, CodingKey {
    case latitudes, longitudes, elevations, times, accuracies
  }

  var points: [TrackPoint]

  init(_ points: [TrackPoint]) { self.points = points }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitudes = try container.decode([Double].self, forKey: .latitudes)
    let longitudes = try container.decode([Double].self, forKey: .longitudes)
    let elevations = try container.decodeIfPresent([Double?].self, forKey: .elevations)
    let times = try container.decodeIfPresent([Date?].self, forKey: .times)
    let accuracies = try container.decodeIfPresent([Distance?].self, forKey: .accuracies)
    let counts = [longitudes.count, elevations?.count, times?.count, accuracies?.count]
    guard counts.allSatisfy({ $0 ?? latitudes.count == latitudes.count }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "The columns differ in length."))
    }
    points = try latitudes.indices.map { index in
      guard
        let coordinate = Coordinate(validLatitude: latitudes[index], longitude: longitudes[index])
      else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: container.codingPath, debugDescription: "point \(index) is invalid"))
      }
      return TrackPoint(
        coordinate: coordinate, elevation: elevations?[index], time: times?[index],
        accuracy: accuracies?[index])
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(points.map(\.coordinate.latitude), forKey: .latitudes)
    try container.encode(points.map(\.coordinate.longitude), forKey: .longitudes)
    func encode(_ column: [(some Encodable)?], forKey key: CodingKeys) throws {
      if column.contains(where: { $0 != nil }) { try container.encode(column, forKey: key) }
    }
    try encode(points.map(\.elevation), forKey: .elevations)
    try encode(points.map(\.time), forKey: .times)
    try encode(points.map(\.accuracy), forKey: .accuracies)
  }
}
