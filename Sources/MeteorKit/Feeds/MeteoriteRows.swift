public import FieldCore

/// The rows of a file, read.
public struct MeteoriteRows: Sendable, Hashable, Codable {
  /// The meteorites in the order of the file, each id once: of rows with the same id, the last one.
  public var meteorites: [Meteorite]
  /// The rows that could not be used, and the rows that a later one of the same id replaces.
  public var failures: [RowFailure]
  /// How many rows the file has.
  public var count: Int
  /// How many rows the file says that it has; nil when it does not say.
  public var announcedCount: Int?

  /// Makes rows.
  public init(
    meteorites: [Meteorite], failures: [RowFailure] = [], count: Int? = nil,
    announcedCount: Int? = nil
  ) {
    self.meteorites = meteorites
    self.failures = failures
    self.count = count ?? meteorites.count + failures.count
    self.announcedCount = announcedCount
  }

  /// Reads a file of any known form: Socrata's JSON, NDJSON and GeoJSON, `rows.json` and CSV.
  ///
  /// Years before 1582 in CSV files are one too small, since the export counts them in the Julian
  /// calendar and the table in the Gregorian; they are put right here, so that all forms agree.
  ///
  /// - Throws: `FieldError` with a `rows.…` code when the bytes are no such file, or only a part of
  ///   one. A row that cannot be used is no error: it is among ``failures``.
  public init(reading bytes: [UInt8]) throws {
    let batch = try RowReader.read(bytes, as: Meteorite.self)
    self.init(batch)
  }

  init(_ batch: RowBatch<Meteorite>) {
    self.init(
      meteorites: batch.records, failures: batch.failures, count: batch.rowCount,
      announcedCount: batch.announcedRows)
    if hasRepeatedIDs { dropRepeatedIDs() }
  }

  /// Whether an id stands in more than one row; keys are small numbers as a rule, which a table of bits
  /// tells faster than a set does.
  private var hasRepeatedIDs: Bool {
    let limit = UInt64(meteorites.count) * 64 + 65_536
    var seen = [Bool](repeating: false, count: Int(limit))
    var others: Set<Meteorite.ID> = []
    for meteorite in meteorites {
      if case .number(let number) = meteorite.id.storage, number < limit {
        if seen[Int(number)] { return true }
        seen[Int(number)] = true
      } else if !others.insert(meteorite.id).inserted {
        return true
      }
    }
    return false
  }

  /// Keeps the last row of each id, in its place, and reports the others.
  private mutating func dropRepeatedIDs() {
    var last: [Meteorite.ID: Int] = Dictionary(minimumCapacity: meteorites.count)
    for (position, meteorite) in meteorites.enumerated() { last[meteorite.id] = position }
    // Failed rows have no place among the meteorites, so places and row numbers drift apart.
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
            reason: "a later row has the same id, and is the one that is used"))
      }
    }
    meteorites = kept
    failures.sort { $0.index < $1.index }
  }
}
