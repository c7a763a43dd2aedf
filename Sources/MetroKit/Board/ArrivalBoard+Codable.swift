internal import FieldCore
internal import FieldFoundation

extension ArrivalBoard: Hashable {
  /// Whether two boards show the same; failures are the same when their code and message are.
  public static func == (left: ArrivalBoard, right: ArrivalBoard) -> Bool {
    left.arrivals == right.arrivals && left.standingSince == right.standingSince
      && left.failures == right.failures && left.fetchedAt == right.fetchedAt
      && left.serverDate == right.serverDate && left.origin == right.origin
      && left.validators == right.validators && left.readBy == right.readBy
      && left.asOf == right.asOf
      && left.policy == right.policy && left.network.version == right.network.version
      && left.lastFailure?.code == right.lastFailure?.code
      && left.lastFailure?.message == right.lastFailure?.message && left.changes == right.changes
  }

  /// Feeds the rows and the time of the board into the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(arrivals)
    hasher.combine(fetchedAt)
    hasher.combine(asOf)
  }
}

/// What the source said and when. The moment of the verdicts, the policy, the network and the last
/// failure are of whoever reads the board, and are not coded.
extension ArrivalBoard: Codable {
  private enum CodingKeys: String, CodingKey {
    case arrivals, standingSince, failures, fetchedAt, serverDate, origin, validators, readBy
  }

  /// Reads a board, as of the moment when it was fetched.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let arrivals = try container.decode([Arrival].self, forKey: .arrivals)
    let standingSince = try container.decode([Date].self, forKey: .standingSince)
    guard arrivals.count == standingSince.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .standingSince, in: container,
        debugDescription: "\(arrivals.count) arrivals and \(standingSince.count) times")
    }
    let fetchedAt = try container.decodeIfPresent(Date.self, forKey: .fetchedAt)
    self.init(
      arrivals: arrivals, standingSince: standingSince,
      failures: try container.decodeIfPresent([RowFailure].self, forKey: .failures) ?? [],
      fetchedAt: fetchedAt,
      serverDate: try container.decodeIfPresent(Date.self, forKey: .serverDate),
      origin: try container.decodeIfPresent(URL.self, forKey: .origin),
      validators: try container.decodeIfPresent(
        [String: HTTPValidators].self, forKey: .validators) ?? [:],
      readBy: try container.decodeIfPresent(String.self, forKey: .readBy) ?? "",
      asOf: fetchedAt ?? .distantPast)
  }

  /// Writes what the source said and when.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(arrivals, forKey: .arrivals)
    try container.encode(standingSince, forKey: .standingSince)
    try container.encode(failures, forKey: .failures)
    try container.encodeIfPresent(fetchedAt, forKey: .fetchedAt)
    try container.encodeIfPresent(serverDate, forKey: .serverDate)
    try container.encodeIfPresent(origin, forKey: .origin)
    try container.encode(validators, forKey: .validators)
    try container.encode(readBy, forKey: .readBy)
  }
}
