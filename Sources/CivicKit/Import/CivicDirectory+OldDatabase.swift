#if SQLite
  public import FieldCore

  extension CivicDirectory {
    /// Takes over the eleven tables of the old app in one commit, by the rules of the sync; activities that
    /// were hidden stay so.
    ///
    /// It may be done again: what is there already is not doubled. Rows that the old app stored without their
    /// keys are in the report's failures, and their tables' cursors stay, so that a server gives them again.
    ///
    /// - Parameters:
    ///   - database: The old app's file.
    ///   - advancingCursors: Whether the server is asked, from now on, for what has changed since the newest
    ///     row; true by default, since whole tables came.
    /// - Throws: As ``LegacyCivicDatabase/tables()`` does; the directory is as it was then.
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
