public import FieldCore
public import FieldFoundation

extension CivicDirectory {
  // MARK: Typed rows

  /// Changes the directory in one commit.
  ///
  /// ```swift
  /// try await directory.edit { edit in
  ///   edit.delete(CivicUnit.self, id: "u5")
  ///   try edit.upsert(CivicUnit(id: "u9", name: "社會救助櫃台"))
  /// }
  /// ```
  ///
  /// - Parameter body: A closure that makes the changes. It runs again if the directory changes in
  ///   the meantime, so it must have no other side effects.
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws, in which case nothing is changed.
  @discardableResult
  public func edit<Result: Sendable>(
    _ body: (inout CivicEdit) throws -> Result
  ) async throws -> Result {
    try await FieldError.wrapping("The directory can't be changed.") {
      try await views.store.updating { snapshot, changes, _ in
        var edit = CivicEdit(of: snapshot)
        let result = try body(&edit)
        changes = edit.changes()
        return result
      }
    }
  }

  /// Adds a row to its table.
  ///
  /// - Throws: `FieldError` with the code `civic.rowExists` if the table already has a row with its
  ///   key, and `input.invalid` if the row can't be stored; see `problems` for the reasons.
  public func create(_ row: some CivicTableRow) async throws {
    try await edit { try $0.create(row) }
  }

  /// Adds a row to its table, or replaces the row with the same key.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the row can't be stored; see
  ///   `problems` for the reasons.
  public func upsert(_ row: some CivicTableRow) async throws {
    try await edit { try $0.upsert(row) }
  }

  /// Deletes the row with a key from its table.
  ///
  /// - Returns: `true` if there was such a row.
  @discardableResult
  public func delete<Row: CivicTableRow>(_ type: Row.Type, id: Row.ID) async throws -> Bool {
    try await edit { $0.delete(type, id: id) }
  }

  /// Returns all rows of a table, in the order in which they were first stored.
  ///
  /// ```swift
  /// let banners: [CivicBanner] = try await directory.rows()
  /// print(banners.count)
  /// ```
  @concurrent
  public func rows<Row: CivicTableRow>(_ type: Row.Type = Row.self) async throws -> [Row] {
    try await view().rows(type)
  }

  // MARK: Rows of the source

  /// Applies rows of a table, following the rules of a sync.
  ///
  /// - A row is inserted, or replaces the columns that it contains in the row with the same key.
  ///   Missing columns keep their stored values. A row whose `isDelete` isn't 0 deletes its key.
  /// - All links of one ID (tables `administrativeUnitInCategory`, `inKeyword`, and
  ///   `mappingKeyword`) are replaced together by the rows for that ID.
  /// - Unusable rows, such as those without a key, are listed in the report's failures, and the
  ///   others are applied. If no row is usable, the call throws.
  ///
  /// - Parameters:
  ///   - json: One row, an array of rows, or a server's response: `{"result":0,"data":[…]}`.
  ///   - table: The table that the rows belong to.
  ///   - advancingCursor: Pass `true` if the next refresh should request only changes since the
  ///     newest of these rows. Use it for the data that ships with an app, not for single rows.
  ///     Defaults to `false`.
  /// - Throws: `FieldError` with the code `civic.unknownTable`, `civic.result`,
  ///   `civic.unusableRows`, or one that begins with `rows`. The directory is unchanged.
  @discardableResult
  public func apply(
    _ json: Data, to table: CivicTable, advancingCursor: Bool = false
  ) async throws -> RefreshReport {
    try await apply([table: json], advancingCursors: advancingCursor)
  }

  /// Applies rows of several tables in one commit, as ``apply(_:to:advancingCursor:)`` does.
  @concurrent
  @discardableResult
  public func apply(
    _ tables: [CivicTable: Data], advancingCursors: Bool = false
  ) async throws -> RefreshReport {
    try await apply(tables, from: .server, advancingCursors: advancingCursors)
  }

  /// Applies tables, which errors identify by their file names.
  func apply(
    _ tables: [CivicTable: Data], from origin: CivicRowRules.Origin,
    names: [CivicTable: String] = [:], advancingCursors: Bool
  ) async throws -> RefreshReport {
    var bodies: [(table: CivicTable, name: String, rows: [JSONValue])] = []
    var errors: [FieldError] = []
    for (table, json) in tables.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let name = names[table] ?? table.rawValue
      do throws(FieldError) {
        let rows = try FieldError.naming(name) { () throws(FieldError) in
          try CivicAnswer.rows(ofAny: [UInt8](json), for: table)
        }
        bodies.append((table, name, rows))
      } catch {
        errors.append(error)
      }
    }
    // Tables refer to each other, so either all are stored or none; the error lists every bad one.
    if var error = errors.first {
      if errors.count > 1 { error.problems = errors.map(\.message) }
      throw error
    }
    return try await FieldError.wrapping("The rows can't be stored.") {
      try await views.store.updating { snapshot, changes, checkpoint in
        var edit = CivicEdit(of: snapshot)
        var report = RefreshReport(outcome: .unchanged, date: engine.clock.now)
        let rules = CivicRowRules(
          areaCode: options.areaCode, zone: options.zone, origin: origin, now: engine.clock.now)
        for body in bodies {
          let outcome = try FieldError.naming(body.name) { () throws(FieldError) in
            try edit.apply(body.rows, to: body.table, rules: rules)
          }
          report.add(outcome)
          // Rows that the old app stored without their keys must be fetched from a server again.
          let isWhole = origin != .oldDatabase || outcome.failures.isEmpty
          guard advancingCursors, isWhole, let newest = outcome.newest else { continue }
          var next = checkpoint ?? Checkpoint()
          next[body.table] = max(newest, next[body.table] ?? 0)
          checkpoint = next
        }
        edit.tally(in: &report)
        changes = edit.changes()
        return report
      }
    }
  }

  /// Imports the tables in a folder of JSON files in one commit.
  ///
  /// See ``CivicTableFiles/read(_:)`` for the names of the files. In the table `hot`, `isDelete`
  /// means that the user has hidden the activity, as in the old app.
  ///
  /// - Parameters:
  ///   - folder: The folder that contains the files.
  ///   - advancingCursors: Whether the next refresh requests only changes since the newest rows, as
  ///     in ``apply(_:to:advancingCursor:)``. Defaults to `true`, because whole tables are
  ///     imported.
  /// - Throws: The errors of ``CivicTableFiles/read(_:)`` and ``apply(_:to:advancingCursor:)``. If
  ///   any file is unusable, none is imported, because tables refer to each other. The message
  ///   names the file; if there are several, `problems` names them all.
  @concurrent
  @discardableResult
  public func importTables(
    in folder: URL, advancingCursors: Bool = true
  ) async throws -> RefreshReport {
    let files = try await CivicTableFiles.files(in: folder)
    return try await apply(
      files.mapValues(\.data), from: .files, names: files.mapValues(\.name),
      advancingCursors: advancingCursors)
  }

  // MARK: The whole directory

  /// Returns the whole directory as one value that can be written as JSON.
  ///
  /// ```swift
  /// let snapshot = try await directory.export()
  /// try JSONEncoder().encode(snapshot).write(to: folder.appending(path: "city.json"))
  /// ```
  ///
  /// It contains the tables, the news and activities of the feeds, the hidden activities, and the
  /// launch flags.
  @concurrent
  public func export() async throws -> CivicSnapshot {
    CivicSnapshot(try await view(), feedItems: try await feeds.storedItems())
  }

  /// Replaces the content of the directory with a snapshot.
  ///
  /// ```swift
  /// let bytes = try Data(contentsOf: folder.appending(path: "city.json"))
  /// try await directory.restore(JSONDecoder().decode(CivicSnapshot.self, from: bytes))
  /// ```
  ///
  /// The tables are replaced in one commit, and then the items of the feeds. The next refresh
  /// fetches everything again. Launch flags are never removed. Anything that the snapshot doesn't
  /// contain, because an older version wrote it, stays as it is.
  @concurrent
  public func restore(_ snapshot: CivicSnapshot) async throws {
    let records = snapshot.records
    try await FieldError.wrapping("The directory can't be restored.") {
      try await views.store.update { before, changes, checkpoint in
        changes.removeAll()
        for record in before where snapshot.keeps(record) { changes.upsert(record) }
        for record in records { changes.upsert(record) }
        checkpoint = .erased(at: before.revision)
      }
      if let items = snapshot.feedItems { try await feeds.restore(items) }
    }
  }

  // MARK: First launches

  /// Claims the first launch of the app, of a screen, or of anything else that you name.
  ///
  /// The claim is on disk before the method returns.
  ///
  /// ```swift
  /// if try await directory.claimFirstLaunch(of: .app) { print("Welcome!") }
  /// ```
  ///
  /// - Returns: `true` at most once for each flag, even with concurrent callers, several processes,
  ///   or a crash.
  public func claimFirstLaunch(of flag: LaunchFlag) async throws -> Bool {
    try await !record([flag], failure: "The first launch can't be recorded.").isEmpty
  }

  /// Imports the launch flags of the old app, so that nobody is welcomed twice.
  ///
  /// - Returns: The flags that weren't set yet.
  @discardableResult
  public func importLegacyData(_ old: LegacyLaunchFlags) async throws -> Set<LaunchFlag> {
    try await record(old.launched, failure: "The old flags can't be recorded.")
  }

  /// Records flags, and returns those that weren't set yet.
  private func record(_ flags: Set<LaunchFlag>, failure: String) async throws -> Set<LaunchFlag> {
    try await FieldError.wrapping(failure) {
      try await views.store.updating { snapshot, changes, _ in
        let new = flags.filter { snapshot[id: CivicRecord.ID(.launch, $0.rawValue)] == nil }
        for flag in new.sorted(by: { $0.rawValue < $1.rawValue }) { changes.upsert(.launch(flag)) }
        return new
      }
    }
  }
}
