public import FieldCore
internal import FieldFoundation

/// The rows of a board belong together, in source order. As one record, they can only be replaced
/// together.
extension ArrivalBoard: StoredRecord {
  /// The constant ID of every board, so that a new board replaces the previous one.
  public var id: String { Self.onlyID }

  static let onlyID = "board"

  /// The name of the type in store files.
  public static var storedName: String { "ArrivalBoard" }

  /// A Boolean value that indicates whether backups include the board, which is `false` because it
  /// is fetched again.
  public static var isBackedUp: Bool { false }

  /// The small part of a board besides its rows, stored as JSON.
  private struct Head: Codable {
    var failures: [RowFailure]
    var fetchedAt: Date?
    var serverDate: Date?
    var origin: URL?
    var validators: [String: HTTPValidators]
    var readBy: String
  }

  /// Writes the rows value by value, because there are a thousand of them twice a minute, then the
  /// rest.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(UInt64(arrivals.count))
    for (arrival, since) in zip(arrivals, standingSince) {
      arrival.write(to: &writer)
      writer.write(since)
    }
    try writer.encode(
      Head(
        failures: failures, fetchedAt: fetchedAt, serverDate: serverDate, origin: origin,
        validators: validators, readBy: readBy))
  }

  /// Creates a board by reading it, as of the moment it was fetched.
  public init(reading reader: inout RecordReader) throws {
    let count = try reader.count()
    var arrivals: [Arrival] = []
    var standingSince: [Date] = []
    arrivals.reserveCapacity(count)
    standingSince.reserveCapacity(count)
    for _ in 0..<count {
      arrivals.append(try Arrival(reading: &reader))
      standingSince.append(try reader.date())
    }
    let head = try reader.decode(Head.self)
    self.init(
      arrivals: arrivals, failures: head.failures, fetchedAt: head.fetchedAt,
      serverDate: head.serverDate, origin: head.origin, validators: head.validators,
      asOf: head.fetchedAt ?? .distantPast, readBy: head.readBy, standingSince: standingSince)
  }
}

// The order of the values is the format. To change it, increase the record's `formatVersion`. Names
// occur in many rows and are written once.

extension Arrival {
  /// Writes the arrival value by value.
  public func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(sourceID)
    writer.write(interned: stationName)
    writer.write(interned: destinationName)
    writer.write(interned: stationEnglishName)
    writer.write(interned: destinationEnglishName)
    writer.write(interned: station?.rawValue)
    writer.write(interned: destination?.rawValue)
    writer.write(interned: line?.rawValue)
    writer.write(interned: updatedAt?.rawText)
    writer.write(interned: countdown?.rawValue)
    writer.write(trainNumber)
    writer.write(service?.rawValue)
  }

  /// Creates an arrival by reading it.
  public init(reading reader: inout RecordReader) throws {
    let id = ID(rawValue: try reader.string())
    let sourceID = try reader.optionalString()
    self.init(
      id: id, sourceID: sourceID, stationName: try reader.internedString(),
      destinationName: try reader.internedString(),
      stationEnglishName: try reader.optionalInternedString(),
      destinationEnglishName: try reader.optionalInternedString(),
      station: try reader.optionalInternedString().map(MetroStation.ID.init(rawValue:)),
      destination: try reader.optionalInternedString().map(MetroStation.ID.init(rawValue:)),
      line: try reader.optionalInternedString().map(MetroLine.ID.init(rawValue:)),
      updatedAt: try reader.optionalInternedString().map { FeedTime($0) },
      countdown: try reader.optionalInternedString().map(Countdown.init(rawValue:)),
      trainNumber: try reader.optionalString(),
      service: try reader.optionalInt().map(Service.init(rawValue:)))
  }
}

// MARK: - Codable

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

/// The store in which a metro keeps its last board: any `RecordStore` of boards, with a single
/// record.
///
/// By default, it is the store `metro` of a `Storage`. Because new boards arrive all the time, a
/// storage with `deferred` durability is enough: a power failure can only restore an older board,
/// which its age reveals.
public typealias ArrivalRepository = RecordStore<ArrivalBoard>
