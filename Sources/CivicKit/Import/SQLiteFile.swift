#if SQLite
  internal import FieldCore

  #if canImport(CFieldSQLite)
    internal import CFieldSQLite
  #else
    internal import SQLite3
  #endif

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// A SQLite database from anywhere, opened to be read and for nothing else.
  ///
  /// Nothing is written, not even beside it; code in its schema is not trusted. It is used by one task at
  /// a time.
  @safe final class SQLiteFile {
    private let connection: OpaquePointer

    /// Opens a database.
    ///
    /// - Throws: `FieldError` with the code `store.io` when there is no file to read, and
    ///   `civic.notADatabase`.
    init(_ url: URL) throws {
      try Self.checkSize(of: url)
      // Without the files of a change that was cut short the database cannot change, and need not be
      // locked. With them SQLite has to look at them, and refuses when it would have to write.
      let isWhole = !["-wal", "-journal"].contains { Self.hasContent(url.path + $0) }
      let options = isWhole ? "?mode=ro&immutable=1" : "?mode=ro"
      var opened: OpaquePointer?
      let status = unsafe sqlite3_open_v2(
        "file:" + Self.escaped(url.path) + options, &opened,
        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
      guard status == SQLITE_OK, let connection = unsafe opened else {
        let error = unsafe Self.error(status, opened)
        unsafe sqlite3_close_v2(opened)
        throw error
      }
      unsafe self.connection = connection
      for pragma in ["trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"] {
        try forEach("PRAGMA \(pragma)") { _ in }
      }
    }

    deinit { unsafe sqlite3_close_v2(connection) }

    /// Runs a query, and tells of each row the names of its columns and their values.
    func forEach(
      _ query: String, _ body: ([JSONValue.Member]) throws -> Void
    ) throws {
      var prepared: OpaquePointer?
      let status = unsafe sqlite3_prepare_v2(connection, query, -1, &prepared, nil)
      guard status == SQLITE_OK, let statement = unsafe prepared else {
        throw unsafe Self.error(status, connection)
      }
      defer { unsafe sqlite3_finalize(statement) }
      let names = unsafe (0..<sqlite3_column_count(statement)).map { index in
        unsafe sqlite3_column_name(statement, index).map { unsafe String(cString: $0) } ?? ""
      }
      while true {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW:
          try body(
            names.enumerated().map { index, name in
              JSONValue.Member(key: name, value: unsafe Self.value(statement, Int32(index)))
            })
        case SQLITE_DONE: return
        case let status: throw unsafe Self.error(status, connection)
        }
      }
    }

    /// The first value of a query's first row, as text; nil when there is none.
    func text(_ query: String) throws -> String? {
      var text: String?
      try forEach(query) { row in
        guard text == nil else { return }
        switch row.first?.value {
        case .string(let value)?, .number(let value)?: text = value
        default: break
        }
      }
      return text
    }

    // MARK: Values

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> JSONValue {
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .number(unsafe String(sqlite3_column_int64(statement, column)))
      case SQLITE_FLOAT: number(unsafe sqlite3_column_double(statement, column))
      case SQLITE_NULL: .null
      // A text that was stored as bytes is a text, whatever the schema calls it.
      default: .string(unsafe text(statement, column))
      }
    }

    private static func number(_ value: Double) -> JSONValue {
      guard value.isFinite else { return .null }
      return .number(Int64(exactly: value).map { String($0) } ?? String(value))
    }

    private static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
      guard let bytes = unsafe sqlite3_column_text(statement, column) else { return "" }
      let count = unsafe Int(sqlite3_column_bytes(statement, column))
      return unsafe String(
        decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    // MARK: Errors

    /// A database of a city has less than a megabyte; one of hundreds is something else.
    private static func checkSize(of url: URL) throws(FieldError) {
      let size: Int
      do {
        size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
      } catch {
        throw FieldError(.io, "\(url.lastPathComponent) cannot be read", underlying: error)
      }
      guard size <= 256 << 20 else {
        throw FieldError(.notADatabase, "\(url.lastPathComponent) is larger than 256 MiB")
      }
    }

    private static func hasContent(_ path: String) -> Bool {
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size]
      return (size as? Int ?? 0) > 0
    }

    /// The path as part of an address, in which `?`, `#` and `%` mean something.
    private static func escaped(_ path: String) -> String {
      path.split(separator: "/", omittingEmptySubsequences: false)
        .map { PercentEncoding.component(String($0)) }.joined(separator: "/")
    }

    private static func error(_ status: Int32, _ connection: OpaquePointer?) -> FieldError {
      let said = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }
        .map { unsafe String(cString: $0) }
      let message = "SQLite says: \(said ?? "error \(status)")"
      return switch status & 0xFF {
      case SQLITE_NOTADB:
        FieldError(.notADatabase, "the file is no SQLite database, or is encrypted; \(message)")
      case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_FORMAT:
        FieldError(.damagedDatabase, "the database is damaged; \(message)")
      case SQLITE_READONLY:
        FieldError(
          .damagedDatabase,
          "the database has a change that was cut short; open and close it with the old app first. \(message)"
        )
      default: FieldError(.io, "the database cannot be read; \(message)")
      }
    }
  }
#endif
