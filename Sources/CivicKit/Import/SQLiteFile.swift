#if SQLite
  internal import FieldCore
  internal import FieldFoundation

  #if canImport(CFieldSQLite)
    internal import CFieldSQLite
  #else
    internal import SQLite3
  #endif

  /// An untrusted SQLite database, opened read-only.
  ///
  /// Nothing is written, not even beside the file, and code in its schema isn't trusted. Use it
  /// from one task at a time.
  @safe final class SQLiteFile {
    private let connection: OpaquePointer
    /// A copy that was made for reading and lives as long as the connection.
    private let copy: SQLiteCopy?

    /// Opens a database, which is then read in its state at one moment.
    ///
    /// - Throws: `FieldError` with the code `store.io` if the file can't be read,
    ///   `civic.notADatabase`, or `civic.damagedDatabase`.
    init(_ url: URL) throws {
      let original = SQLiteOriginal(url)
      try original.check()
      // SQLite would write beside the database to read its log.
      if try !original.hasLog() {
        do {
          // A database that uses a log but has none has no writer, and nothing to lock, for which
          // SQLite would create files here too.
          unsafe connection = try Self.open(url, original.usesWAL() ? "ro&immutable=1" : "ro")
          copy = nil
          return
        } catch is NeedsRecovery {
          // An interrupted change must be undone before anything can be read.
        }
      }
      let copy = try SQLiteCopy(of: original)
      self.copy = copy
      do {
        unsafe connection = try Self.open(copy.url, "rw")
      } catch is NeedsRecovery {
        throw FieldError(.damagedDatabase, "The database has a change that can't be rolled back.")
      }
    }

    /// An error that indicates that an interrupted change must be undone by writing to the
    /// database.
    private struct NeedsRecovery: Error {}

    private static func open(_ url: URL, _ mode: String) throws -> OpaquePointer {
      var opened: OpaquePointer?
      var status = unsafe sqlite3_open_v2(
        "file:" + escaped(url.path) + "?mode=" + mode, &opened,
        (mode == "rw" ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_URI
          | SQLITE_OPEN_NOMUTEX, nil)
      if status == SQLITE_OK, let connection = unsafe opened {
        unsafe sqlite3_busy_timeout(connection, 1_000)
        // The last statement is the first to read, and locks what is read until the end.
        let statements =
          "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON; "
          + "BEGIN; SELECT 1 FROM sqlite_master LIMIT 1"
        status = unsafe sqlite3_exec(connection, statements, nil, nil, nil)
        if status == SQLITE_OK { return unsafe connection }
      }
      defer { unsafe sqlite3_close_v2(opened) }
      if status & 0xFF == SQLITE_READONLY { throw NeedsRecovery() }
      throw unsafe error(status, opened)
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// Returns the column names and values of each row of a query.
    func rows(_ query: String) throws -> [[JSONValue.Member]] {
      var prepared: OpaquePointer?
      let status = unsafe sqlite3_prepare_v2(connection, query, -1, &prepared, nil)
      guard status == SQLITE_OK, let statement = unsafe prepared else {
        throw unsafe Self.error(status, connection)
      }
      defer { unsafe sqlite3_finalize(statement) }
      let names = unsafe (0..<sqlite3_column_count(statement)).map { index in
        unsafe sqlite3_column_name(statement, index).map { unsafe String(cString: $0).streamSafe }
          ?? ""
      }
      var rows: [[JSONValue.Member]] = []
      while true {
        if rows.count.isMultiple(of: 1_000) { try Task.checkCancellation() }
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW:
          rows.append(
            names.enumerated().map { index, name in
              JSONValue.Member(key: name, value: unsafe Self.value(statement, Int32(index)))
            })
        case SQLITE_DONE: return rows
        case let status: throw unsafe Self.error(status, connection)
        }
      }
    }

    /// Returns the first value of a query's first row as text, or `nil` if there is none.
    func text(_ query: String) throws -> String? {
      switch try rows(query).first?.first?.value {
      case .string(let value)?, .number(let value)?: value
      default: nil
      }
    }

    // MARK: Values

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> JSONValue {
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .number(unsafe String(sqlite3_column_int64(statement, column)))
      case SQLITE_FLOAT: number(unsafe sqlite3_column_double(statement, column))
      case SQLITE_NULL: .null
      // A text that was stored as bytes is a text, whatever the schema says. The bytes are read as
      // they are, because in a UTF-16 database SQLite would decode them as UTF-16.
      case SQLITE_BLOB:
        .string(unsafe text(sqlite3_column_blob(statement, column), statement, column))
      default: .string(unsafe text(sqlite3_column_text(statement, column), statement, column))
      }
    }

    private static func number(_ value: Double) -> JSONValue {
      guard value.isFinite else { return .null }
      return .number(Int64(exactly: value).map { String($0) } ?? String(value))
    }

    /// Returns the bytes of a column, which has just been read, as UTF-8.
    private static func text(
      _ bytes: UnsafeRawPointer?, _ statement: OpaquePointer, _ column: Int32
    ) -> String {
      guard let bytes = unsafe bytes else { return "" }
      let count = unsafe Int(sqlite3_column_bytes(statement, column))
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self
      ).streamSafe
    }

    // MARK: Errors

    /// Returns the path with `?`, `#`, and `%` escaped, because they have a meaning in a URI.
    private static func escaped(_ path: String) -> String {
      path.split(separator: "/", omittingEmptySubsequences: false)
        .map { PercentEncoding.component(String($0)) }.joined(separator: "/")
    }

    private static func error(_ status: Int32, _ connection: OpaquePointer?) -> FieldError {
      let said = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }
        .map { unsafe String(cString: $0) }
      let message = "SQLite says: \(said ?? "error \(status)")."
      return switch status & 0xFF {
      case SQLITE_NOTADB:
        FieldError(.notADatabase, "The file isn't a SQLite database, or is encrypted: \(message)")
      case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_FORMAT:
        FieldError(.damagedDatabase, "The database is damaged: \(message)")
      default: FieldError(.io, "The database can't be read: \(message)")
      }
    }
  }
#endif
