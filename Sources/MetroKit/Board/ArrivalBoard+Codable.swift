internal import FieldCore
internal import FieldFoundation

extension ArrivalBoard: Hashable {
  /// Returns whether two boards show the same; errors are equal if their code and message are.
  public static func == (left: ArrivalBoard, right: ArrivalBoard) -> Bool {
    left.arrivals == right.arrivals && left.standingSince == right.standingSince
      && left.failures == right.failures && left.fetchedAt == right.fetchedAt
      && left.serverDate == right.serverDate && left.origin == right.origin
      && left.validators == right.validators && left.readBy == right.readBy
      && left.asOf == right.asOf && left.policy == right.policy
      && left.network.version == right.network.version
      && left.lastFailure?.code == right.lastFailure?.code
      && left.lastFailure?.message == right.lastFailure?.message && left.changes == right.changes
      && left.alerts == right.alerts && left.alertsFailure?.code == right.alertsFailure?.code
      && left.alertsFailure?.message == right.alertsFailure?.message
      && left.timetable == right.timetable
      && left.timetableFailure?.code == right.timetableFailure?.code
      && left.timetableFailure?.message == right.timetableFailure?.message
  }

  /// Hashes the rows and the times of the board.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(arrivals)
    hasher.combine(fetchedAt)
    hasher.combine(asOf)
  }
}

/// The encoded board contains the source's data and how the board looks at ``asOf``. For readers of
/// the JSON, `freshness` has the verdict on each row. A network other than ``MetroNetwork/taipei``
/// is included, too. The timetable isn't.
extension ArrivalBoard: Codable {
  private enum CodingKeys: String, CodingKey {
    case arrivals, standingSince, failures, fetchedAt, serverDate, origin, validators, readBy
    case asOf, policy, freshness, network, lastFailure, changes
    case alerts, alertsFailure
  }

  /// Creates a board by decoding it; without an encoded `asOf`, it's as of when it was fetched.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    let arrivals = try container.decode([Arrival].self, forKey: .arrivals)
    let standingSince = try container.decode([Date].self, forKey: .standingSince)
    guard arrivals.count == standingSince.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .standingSince, in: container,
        debugDescription: "There are \(arrivals.count) arrivals, but \(standingSince.count) times.")
    }
    let fetchedAt: Date? = try value(.fetchedAt)
    self.init(
      arrivals: arrivals, failures: try value(.failures) ?? [], fetchedAt: fetchedAt,
      serverDate: try value(.serverDate), origin: try value(.origin),
      validators: try value(.validators) ?? [:],
      asOf: try value(.asOf) ?? fetchedAt ?? .distantPast,
      policy: try value(.policy) ?? StalenessPolicy(), network: try value(.network) ?? .taipei,
      lastFailure: try value(.lastFailure), alerts: try value(.alerts),
      alertsFailure: try value(.alertsFailure), changes: try value(.changes),
      readBy: try value(.readBy) ?? "", standingSince: standingSince)
  }

  /// Encodes the source's data and how the board looks.
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
    try container.encode(asOf, forKey: .asOf)
    try container.encode(policy, forKey: .policy)
    try container.encode(verdicts, forKey: .freshness)
    let isOwnNetwork = network.version != MetroNetwork.taipei.version
    try container.encodeIfPresent(isOwnNetwork ? network : nil, forKey: .network)
    try container.encodeIfPresent(lastFailure, forKey: .lastFailure)
    try container.encodeIfPresent(changes, forKey: .changes)
    try container.encodeIfPresent(alerts, forKey: .alerts)
    try container.encodeIfPresent(alertsFailure, forKey: .alertsFailure)
  }
}
