public import FieldCore

extension Batch<Meteorite> {
  /// Creates a batch by reading a file: Socrata's JSON, NDJSON, GeoJSON, `rows.json`, or CSV.
  ///
  /// The meteorites are in file order, each ID once: the last of several rows with the same ID is used, and the others
  /// are among the failures.
  ///
  /// In CSV files, years before 1582 are too low by one because the export uses the Julian calendar
  /// and the table the Gregorian. This initializer corrects them, so that all formats agree.
  ///
  /// ```swift
  /// let meteorites = try Batch<Meteorite>(reading: bytes).records
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: The body of the response, or the content of a file.
  ///   - charset: The encoding that the response names, if any.
  /// - Throws: `FieldError` with a `rows.…` code if the bytes aren't such a file or only part of
  ///   one. A row that can't be used doesn't throw; it is among the failures.
  public init(reading bytes: [UInt8], charset: String? = nil) throws {
    var meteorites: [Meteorite] = []
    // The closure is compiled for meteorites, unlike the initializer for any record.
    let summary = try RowReader.forEachRow(
      of: bytes, columns: Meteorite.rowColumns, key: Meteorite.rowKey, charset: charset
    ) { row throws(RowProblem) in
      let meteorite = try Meteorite(row: row)
      try row.checkColumns()
      // Rows are about as long as the first one: this allocates once instead of a dozen times with
      // copies.
      if meteorites.isEmpty { meteorites.reserveCapacity(row.expectedCount) }
      meteorites.append(meteorite)
    }
    var failures = summary.failures(expecting: Meteorite.rowColumns)
    if Self.hasRepeatedIDs(meteorites) { Self.dropRepeatedIDs(of: &meteorites, into: &failures) }
    self.init(
      of: meteorites, failures: failures, rowCount: summary.rowCount,
      announcedCount: summary.announcedRows)
    let repeated = failures.count - summary.failures.count
    if let notice = RefreshReport.Notice.repeatedIDs(repeated) { facts.notices.append(notice) }
  }

  /// Creates a batch of meteorites that have different IDs.
  init(
    of meteorites: [Meteorite], failures: [RowFailure], rowCount: Int, announcedCount: Int? = nil
  ) {
    self.init(
      records: meteorites, failures: failures,
      failedIDs: failures.compactMap { $0.wholeKey.flatMap(Meteorite.ID.init(rawValue:)) },
      facts: PageMetadata(rowCount: rowCount, announcedCount: announcedCount))
    hasUniqueIDs = true
  }

  /// Whether an ID occurs in more than one row. Most IDs are small numbers, which a table of flags
  /// checks faster than a set.
  private static func hasRepeatedIDs(_ meteorites: [Meteorite]) -> Bool {
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
  private static func dropRepeatedIDs(
    of meteorites: inout [Meteorite], into failures: inout [RowFailure]
  ) {
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
            reason: "a later row with the same id is used instead"))
      }
    }
    meteorites = kept
    failures.sort { $0.index < $1.index }
  }
}
