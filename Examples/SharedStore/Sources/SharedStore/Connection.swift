import CPostgreSQL
import FieldCore
import Foundation

/// A value of a statement or a row.
enum SQLValue: Sendable {
  case int(Int64)
  case text(String)
  case bytes([UInt8])
  case null

  /// The bytes that libpq sends: numbers and text as text, bytes as they are.
  fileprivate var wire: [UInt8]? {
    switch self {
    case .int(let number): Array("\(number)".utf8) + [0]
    case .text(let text): Array(text.utf8) + [0]
    case .bytes(let bytes): bytes
    case .null: nil
    }
  }

  fileprivate var isBinary: Bool { if case .bytes = self { true } else { false } }
}

/// A row of a result, with the bytes of each column in PostgreSQL's binary format.
struct SQLRow: Sendable {
  fileprivate let columns: [[UInt8]?]

  func bytes(_ column: Int) -> [UInt8]? { columns[column] }

  func text(_ column: Int) -> String { String(decoding: columns[column] ?? [], as: UTF8.self) }

  /// The number in a column of the type `BIGINT`.
  func int(_ column: Int) -> Int64 {
    Int64(bitPattern: (columns[column] ?? []).reduce(0) { $0 << 8 | UInt64($1) })
  }
}

/// A connection to a database, for one thread at a time.
final class Connection {
  private let handle: OpaquePointer

  /// A Boolean value that indicates whether the outcome of the last `COMMIT` is unknown.
  private(set) var isInDoubt = false

  /// Connects to a database.
  ///
  /// - Parameter url: A connection URL, or a string of keywords and values.
  init(_ url: String) throws {
    guard let handle = PQconnectdb(url) else {
      throw FieldError(.io, "There is no memory left for a connection.")
    }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else {
      throw FieldError(
        .connectionLost, "The database can't be reached: \(Self.message(of: handle))")
    }
    _ = try? run("SET client_min_messages = warning")
  }

  deinit { PQfinish(handle) }

  /// A Boolean value that indicates whether the connection has ended.
  var isBroken: Bool { PQstatus(handle) != CONNECTION_OK }

  /// Runs one statement, and returns its rows.
  @discardableResult
  func run(_ statement: String, _ values: [SQLValue] = []) throws -> [SQLRow] {
    try execute(statement, values) { result in
      (0..<PQntuples(result)).map { row in
        SQLRow(
          columns: (0..<PQnfields(result)).map { column in
            guard PQgetisnull(result, row, column) == 0,
              let bytes = PQgetvalue(result, row, column)
            else { return nil }
            return [UInt8](
              UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(result, row, column))))
          })
      }
    }
  }

  /// Runs one statement, and returns the number of rows that it changed.
  func change(_ statement: String, _ values: [SQLValue]) throws -> Int {
    try execute(statement, values) { Int(String(cString: PQcmdTuples($0))) ?? 0 }
  }

  /// Runs a transaction, which is rolled back if `body` throws or returns `nil`.
  ///
  /// - Returns: The result, or `nil` if another transaction prevents this one. Try again then.
  func transaction<Result>(_ mode: String = "", _ body: () throws -> Result?) throws -> Result? {
    try run("BEGIN \(mode)")
    do {
      guard let result = try body() else {
        try run("ROLLBACK")
        return nil
      }
      isInDoubt = true
      try run("COMMIT")
      isInDoubt = false
      return result
    } catch {
      if isBroken, isInDoubt {
        throw FieldError(
          .connectionLost,
          "The connection was lost during a commit, which may or may not have succeeded. "
            + "Take a snapshot to find out.", underlying: error)
      }
      isInDoubt = false
      _ = try? run("ROLLBACK")
      if let error = error as? FieldError, error.code == .conflict { return nil }
      throw error
    }
  }

  /// Waits at most a fifth of a second for notifications, and returns their texts.
  func notifications() throws -> [String] {
    var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, 200)
    guard PQconsumeInput(handle) == 1 else { throw failure(nil) }
    var texts: [String] = []
    while let notification = PQnotifies(handle) {
      texts.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return texts
  }

  private func execute<Result>(
    _ statement: String, _ values: [SQLValue], _ read: (OpaquePointer) throws -> Result
  ) throws -> Result {
    // All values in one buffer, because libpq takes pointers.
    let wires = values.map(\.wire)
    let buffer = Array(wires.compactMap(\.self).joined()) + [0]
    let lengths = wires.map { Int32($0?.count ?? 0) }
    let formats: [Int32] = values.map { $0.isBinary ? 1 : 0 }
    let result = buffer.withUnsafeBufferPointer { buffer in
      var offset = 0
      let pointers = wires.map { wire -> UnsafePointer<CChar>? in
        guard let wire, let start = buffer.baseAddress else { return nil }
        defer { offset += wire.count }
        return UnsafeRawPointer(start + offset).assumingMemoryBound(to: CChar.self)
      }
      return PQexecParams(
        handle, statement, Int32(values.count), nil, pointers, lengths, formats, 1)
    }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      guard let result else { throw failure(nil) }
      return try read(result)
    default: throw failure(result)
    }
  }

  private static func message(of handle: OpaquePointer) -> String {
    String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func failure(_ result: OpaquePointer?) -> FieldError {
    let field = PQresultErrorField(result, Int32(UInt8(ascii: "C")))  // PG_DIAG_SQLSTATE
    let state = field.map { String(cString: $0) } ?? ""
    let message = "The database reported \(state): \(Self.message(of: handle))"
    if isBroken { return FieldError(.connectionLost, "The connection to the database was lost.") }
    return switch state {
    case "40001", "40P01", "23505", "42P07": FieldError(.conflict, message)
    case "53100": FieldError(.diskFull, message)
    case "25006", "42501": FieldError(.readOnly, message)
    default: FieldError(.io, message)
    }
  }
}
