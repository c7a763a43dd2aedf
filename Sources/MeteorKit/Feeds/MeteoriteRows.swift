public import FieldCore

/// The rows of a file, read.
public struct MeteoriteRows: Sendable, Hashable {
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
    var failures = batch.failures
    var meteorites = batch.records
    var isSuperseded: [Bool] = []
    var last: [Meteorite.ID: Int] = Dictionary(minimumCapacity: meteorites.count)
    for (position, meteorite) in meteorites.enumerated() {
      guard let earlier = last.updateValue(position, forKey: meteorite.id) else { continue }
      if isSuperseded.isEmpty {
        isSuperseded = Array(repeating: false, count: meteorites.count)
      }
      isSuperseded[earlier] = true
    }
    if !isSuperseded.isEmpty {
      for position in meteorites.indices where isSuperseded[position] {
        failures.append(
          RowFailure(
            index: position, key: meteorites[position].id.rawValue,
            excerpt: meteorites[position].name,
            reason: "a later row has the same id, and is the one that is used"))
      }
      meteorites = zip(meteorites, isSuperseded).filter { !$0.1 }.map(\.0)
    }
    self.init(
      meteorites: meteorites, failures: failures, count: batch.rowCount,
      announcedCount: batch.announcedRows)
  }
}
