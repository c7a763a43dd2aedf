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
