public import FieldCore

/// The meteorites and failures read from a file's rows.
public struct MeteoriteRows: Sendable, Hashable, Codable {
  /// The meteorites in file order, each ID once: the last of several rows with the same ID is used.
  public var meteorites: [Meteorite]
  /// The rows that couldn't be used, and the rows replaced by a later one with the same ID.
  public var failures: [RowFailure]
  /// The number of rows in the file.
  public var count: Int
  /// The number of rows that the file declares; `nil` if it doesn't declare any.
  public var announcedCount: Int?

  /// Creates rows from meteorites and failures.
  public init(
    meteorites: [Meteorite], failures: [RowFailure] = [], count: Int? = nil,
    announcedCount: Int? = nil
  ) {
    self.meteorites = meteorites
    self.failures = failures
    self.count = count ?? meteorites.count + failures.count
    self.announcedCount = announcedCount
  }

  /// Creates rows by reading a file: Socrata's JSON, NDJSON, GeoJSON, `rows.json`, or CSV.
  ///
  /// In CSV files, years before 1582 are too low by one because the export uses the Julian calendar
  /// and the table the Gregorian. This initializer corrects them, so that all formats agree.
  ///
  /// - Throws: `FieldError` with a `rows.…` code if the bytes aren't such a file or only part of
  ///   one. A row that can't be used doesn't throw; it is among ``failures``.
  public init(reading bytes: [UInt8]) throws {
    let batch = try RowReader.read(bytes, as: Meteorite.self)
    self.init(
      meteorites: batch.records, failures: batch.summary.failures(expecting: Meteorite.rowColumns),
      count: batch.rowCount,
      announcedCount: batch.announcedRows)
    if hasRepeatedIDs { dropRepeatedIDs() }
  }

  /// The reason why a row isn't used although it can be.
  private static let repetition = "a later row with the same id is used instead"

  /// The number of rows that were replaced by a later one with the same ID.
  var repeatedIDs: Int { failures.count { $0.reason == Self.repetition } }

  /// Whether an ID occurs in more than one row. Most IDs are small numbers, which a table of flags
  /// checks faster than a set.
  private var hasRepeatedIDs: Bool {
    let limit = UInt64(meteorites.count) * 64 + 65_536
    var seen = [UInt64](repeating: 0, count: Int(limit / 64))
    var others: Set<Meteorite.ID> = []
    for meteorite in meteorites {
      if case .number(let number) = meteorite.id.storage, number < limit {
        let flag: UInt64 = 1 << (number & 63)
        if seen[Int(number >> 6)] & flag != 0 { return true }
        seen[Int(number >> 6)] |= flag
      } else if !others.insert(meteorite.id).inserted {
        return true
      }
    }
    return false
  }

  /// Keeps the last row for each ID, in its position, and reports the others.
  private mutating func dropRepeatedIDs() {
    var last: [Meteorite.ID: Int] = Dictionary(minimumCapacity: meteorites.count)
    for (position, meteorite) in meteorites.enumerated() { last[meteorite.id] = position }
    // Failed rows aren't among the meteorites, so positions and row numbers diverge.
    let failedRows = Set(failures.map(\.index))
    var row = -1
    var kept: [Meteorite] = []
    for (position, meteorite) in meteorites.enumerated() {
      repeat { row += 1 } while failedRows.contains(row)
      if last[meteorite.id] == position {
        kept.append(meteorite)
      } else {
        failures.append(
          RowFailure(
            index: row, key: meteorite.id.rawValue, excerpt: meteorite.name,
            reason: Self.repetition))
      }
    }
    meteorites = kept
    failures.sort { $0.index < $1.index }
  }
}
