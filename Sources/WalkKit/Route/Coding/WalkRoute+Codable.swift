internal import FieldCore
internal import FieldFoundation

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
