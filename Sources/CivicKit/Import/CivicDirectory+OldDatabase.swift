#if SQLite
  public import FieldCore

  extension CivicDirectory {
    /// Imports the eleven tables of the old app in one commit, following the rules of a sync.
    ///
    /// Hidden activities stay hidden. Importing again doesn't create duplicates. Rows that the old
    /// app stored without their keys are listed in the report's failures, and the cursors of their
    /// tables don't advance, so that a server returns the rows again.
    ///
    /// - Parameters:
    ///   - database: The old app's database.
    ///   - advancingCursors: Whether the next refresh requests only changes since the newest rows.
    ///     Defaults to `true`, because whole tables are imported.
    /// - Throws: The same errors as ``LegacyCivicDatabase/tables()``. The directory is then
    ///   unchanged.
    @concurrent
    @discardableResult
    public func importTables(
      of database: LegacyCivicDatabase, advancingCursors: Bool = true
    ) async throws -> RefreshReport {
      try await apply(
        try await database.tables(), from: .oldDatabase, advancingCursors: advancingCursors)
    }
  }
#endif
