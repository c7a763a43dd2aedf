#if SQLite
  public import FieldCore

  extension CivicDirectory {
    /// Takes over what the old app had: its tables in one commit, by the rules of the sync, and then its
    /// activities with those that were hidden.
    ///
    /// It may be done again: what is there already is not doubled.
    ///
    /// - Parameters:
    ///   - database: The old app's file.
    ///   - advancingCursors: Whether the server is asked, from now on, for what has changed since the newest
    ///     row; true by default, since whole tables came.
    /// - Throws: As ``LegacyCivicDatabase/tables()`` does; the directory is as it was then.
    @discardableResult
    public func importTables(
      of database: LegacyCivicDatabase, advancingCursors: Bool = true
    ) async throws -> RefreshReport {
      var tables = try await database.tables()
      tables[.activities] = nil
      let report = try await apply(tables, advancingCursors: advancingCursors)
      try await feeds.importLegacyActivities(of: database)
      return report
    }
  }
#endif
