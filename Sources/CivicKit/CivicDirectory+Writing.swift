public import FieldCore
public import FieldFoundation

extension CivicDirectory {
  // MARK: Typed rows

  /// Changes the directory in one commit.
  ///
  /// - Parameter body: Makes the changes. It runs anew when somebody else has changed the directory
  ///   meanwhile, so it must not do anything else.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws: nothing has been changed then.
  @discardableResult
  public func edit<Result: Sendable>(
    _ body: (inout CivicEdit) throws -> Result
  ) async throws -> Result {
    try await FieldError.wrapping("the directory cannot be changed") {
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
  /// - Throws: `FieldError` with the code `civic.rowExists` when there is one of its key, and
  ///   `input.invalid` when it cannot be kept; `problems` says why.
  public func create(_ row: some CivicTableRow) async throws {
    try await edit { try $0.create(row) }
  }

  /// Adds a row to its table, or replaces the one of its key.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` when it cannot be kept; `problems` says why.
  public func upsert(_ row: some CivicTableRow) async throws {
    try await edit { try $0.upsert(row) }
  }

  /// Removes the row of a key from its table.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func delete<Row: CivicTableRow>(_ type: Row.Type, id: Row.ID) async throws -> Bool {
    try await edit { $0.delete(type, id: id) }
  }

  /// All rows of a table, in the order in which they came.
  @concurrent
  public func rows<Row: CivicTableRow>(_ type: Row.Type = Row.self) async throws -> [Row] {
    try await view().rows(type)
  }

  // MARK: Rows of the source

  /// Applies what a caller has of a table by hand, under the rules of the synchronisation.
  ///
  /// - Rows are inserted, or replace by key what they have columns for; a column that is not there leaves
  ///   what is stored. A row whose `isDelete` is not 0 deletes its key.
  /// - The links of one id (tables `administrativeUnitInCategory`, `inKeyword`, `mappingKeyword`) are
  ///   replaced together by all rows of that id.
  /// - A row that cannot be used, such as one without its key, is in the report's failures, and the others
  ///   are applied; when none can be used, that is an error.
  ///
  /// - Parameters:
  ///   - json: One row, an array of rows, or a server's answer: `{"result":0,"data":[…]}`.
  ///   - table: The table that the rows are of.
  ///   - advancingCursor: Whether the server is asked, from now on, for what has changed since the newest
  ///     of these rows: for the data that an app ships, and not for single rows.
  /// - Throws: `FieldError` with the code `civic.unknownTable`, `civic.result`, `civic.unusableRows`, or one
  ///   of `rows`: the directory is as it was.
  @discardableResult
  public func apply(
    _ json: Data, to table: CivicTable, advancingCursor: Bool = false
  ) async throws -> RefreshReport {
    try await apply([table: json], advancingCursors: advancingCursor)
  }

  /// Applies what a caller has of several tables in one commit, as
  /// ``apply(_:to:advancingCursor:)`` does.
  @concurrent
  @discardableResult
  public func apply(
    _ tables: [CivicTable: Data], advancingCursors: Bool = false
  ) async throws -> RefreshReport {
    try await apply(tables, from: .server, advancingCursors: advancingCursors)
  }

  /// Applies tables, which errors name by the names of their files.
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
    // Tables refer to each other, so none is stored without the others; all that are bad are named.
    if var error = errors.first {
      if errors.count > 1 { error.problems = errors.map(\.message) }
      throw error
    }
    var report = RefreshReport(outcome: .unchanged, date: engine.clock.now)
    try await FieldError.wrapping("the rows cannot be stored") {
      try await views.store.update { snapshot, changes, checkpoint in
        var edit = CivicEdit(of: snapshot)
        report = RefreshReport(outcome: .unchanged, date: engine.clock.now)
        for body in bodies {
          let outcome = try FieldError.naming(body.name) { () throws(FieldError) in
            try edit.apply(
              body.rows, to: body.table,
              rules: CivicRowRules(
                areaCode: options.areaCode, zone: options.zone, origin: origin,
                now: engine.clock.now))
          }
          report.add(outcome)
          // A server has to give again what the old app stored without its key.
          let isWhole = origin != .oldDatabase || outcome.failures.isEmpty
          guard advancingCursors, isWhole, let newest = outcome.newest else { continue }
          var next = checkpoint ?? Checkpoint()
          let key = CivicCursors.key(body.table)
          next.cursors[key] = String(max(newest, next.cursors[key].flatMap { Int($0) } ?? 0))
          checkpoint = next
        }
        report.add(edit.tally())
        changes = edit.changes()
      }
    }
    return report
  }

  /// Applies the tables of a folder of JSON files in one commit; ``CivicTableFiles/read(_:)`` says how they
  /// are named.
  ///
  /// In the table `hot`, `isDelete` means that a person has hidden the activity, as in the old app.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - advancingCursors: As in ``apply(_:to:advancingCursor:)``; true by default, since whole tables came.
  /// - Throws: As ``CivicTableFiles/read(_:)`` and ``apply(_:to:advancingCursor:)`` do. If any file can't be
  ///   used, none is applied, because tables refer to each other; the message names the file, and `problems`
  ///   names all such files if there are several.
  @concurrent
  @discardableResult
  public func importTables(
    in folder: URL, advancingCursors: Bool = true
  ) async throws -> RefreshReport {
    let files = try CivicTableFiles.files(in: folder)
    return try await apply(
      files.mapValues(\.data), from: .files, names: files.mapValues(\.name),
      advancingCursors: advancingCursors)
  }

  // MARK: The whole directory

  /// The whole directory as one value, to be written as JSON: the tables, the news and activities of the
  /// feeds, what is hidden, and what was started before.
  @concurrent
  public func export() async throws -> CivicSnapshot {
    CivicSnapshot(try await view(), feedItems: try await feeds.storedItems())
  }

  /// Puts a whole directory in place of this one: the tables in one commit, and then what the feeds have
  /// returned. Server and feeds are asked for everything next time.
  ///
  /// What was started before stays started, and what the snapshot says nothing of, because an older version
  /// wrote it, stays as it is.
  @concurrent
  public func restore(_ snapshot: CivicSnapshot) async throws {
    let records = snapshot.records
    try await FieldError.wrapping("the directory cannot be restored") {
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

  /// Claims the first start of the app, of a screen, or of whatever an app names itself.
  ///
  /// - Returns: True at most once, whoever asks: two callers at once, two processes, and after a crash. It is
  ///   noted on the device before it is returned.
  public func claimFirstLaunch(of flag: LaunchFlag) async throws -> Bool {
    var isFirst = false
    try await FieldError.wrapping("the first launch cannot be noted") {
      try await views.store.update { snapshot, changes, _ in
        isFirst = snapshot[id: CivicRecord.ID(.launch, flag.rawValue)] == nil
        if isFirst { changes.upsert(.launch(flag)) }
      }
    }
    return isFirst
  }

  /// Takes over what the old app had noted, so that nobody is welcomed twice.
  ///
  /// - Returns: The flags that were not noted here yet.
  @discardableResult
  public func importLegacyData(_ old: LegacyLaunchFlags) async throws -> Set<LaunchFlag> {
    var adopted: Set<LaunchFlag> = []
    try await FieldError.wrapping("the old flags cannot be noted") {
      try await views.store.update { snapshot, changes, _ in
        adopted = old.launched.filter { flag in
          snapshot[id: CivicRecord.ID(.launch, flag.rawValue)] == nil
        }
        for flag in adopted.sorted(by: { $0.rawValue < $1.rawValue }) {
          changes.upsert(.launch(flag))
        }
      }
    }
    return adopted
  }
}
