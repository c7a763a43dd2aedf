#if SQLite
  public import FieldCore
  public import FieldFoundation

  /// The database of the old app, which is a SQLite file with eleven tables.
  ///
  /// ```swift
  /// let old = LegacyCivicDatabase(documents.appending(path: "itriTainan.sqlite"))
  /// try await directory.importTables(of: old)
  /// ```
  ///
  /// Both generations can be read: the file with the columns `lastUpdateTIme` and `appURL` that
  /// came with the app, and the one that the app created, with `iosAppUrl` or `appIOSUrl`. Table
  /// names match in any case, and tables and columns may be missing. Nothing is written to the file
  /// or beside it. If a change was interrupted, it is undone or completed in a copy.
  ///
  /// This type requires the package's trait `SQLite`.
  public struct LegacyCivicDatabase: Sendable, Hashable {
    /// The location of the file.
    public let url: URL

    /// Creates a reference to a database, which is opened when it is read.
    public init(_ url: URL) { self.url = url }

    /// The newest supported version of the schema; the old app's is 2.
    public static let newestVersion = 2

    /// Returns the rows of each table as JSON: an array of objects, with the column names of the
    /// database.
    ///
    /// - Throws: `FieldError` with the code `store.io` if the file can't be read;
    ///   `civic.notADatabase` if it isn't a database, is encrypted, or has none of the tables;
    ///   `civic.damagedDatabase`; or `civic.newerDatabase`.
    @concurrent
    public func tables() async throws -> [CivicTable: Data] {
      try rows().mapValues { Data(JSONValue.array($0).canonicalText.utf8) }
    }

    func rows() throws -> [CivicTable: [JSONValue]] {
      let file = try SQLiteFile(url)
      if let problem = try file.text("PRAGMA quick_check(1)"), problem != "ok" {
        throw FieldError(
          .damagedDatabase, "\(url.lastPathComponent) is damaged. SQLite says: \(problem).")
      }
      let version = try file.text("PRAGMA user_version").flatMap { Int($0) } ?? 0
      guard version <= Self.newestVersion else {
        throw FieldError(
          .newerDatabase,
          "\(url.lastPathComponent) has version \(version). The newest known is \(Self.newestVersion)."
        )
      }
      var tables: [CivicTable: [JSONValue]] = [:]
      for name in try names(in: file) {
        let table = CivicTable(rawValue: name)
        guard CivicTable.all.contains(table) else { continue }
        let rows = try file.rows("SELECT * FROM \"\(name.split(separator: "\"").joined())\"")
        tables[table, default: []] += rows.map(JSONValue.object)
      }
      guard !tables.isEmpty else {
        throw FieldError(
          .notADatabase,
          "\(url.lastPathComponent) is a database without any of the old app's tables.")
      }
      return tables
    }

    /// Returns the names of the ordinary tables; a view or virtual table could run code of the
    /// file's author.
    private func names(in file: SQLiteFile) throws -> [String] {
      try file.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
      ).compactMap { $0.first?.value.string }
    }
  }

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
