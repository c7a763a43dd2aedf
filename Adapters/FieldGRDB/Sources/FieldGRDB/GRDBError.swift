internal import FieldCore
internal import GRDB

/// The errors of a database in the form of FieldKit's.
enum GRDBError {
  /// Runs a closure, and wraps the database's errors in a `FieldError`.
  static func wrapping<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch let error as DatabaseError { throw wrapped(error) }
  }

  private static func wrapped(_ error: DatabaseError) -> any Error {
    // GRDB interrupts a statement when its task is canceled.
    if error.resultCode == .SQLITE_INTERRUPT, Task.isCancelled { return CancellationError() }
    let code: FieldError.Code =
      switch error.resultCode {
      case .SQLITE_FULL: .diskFull
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: .readOnly
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
      case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: .invalidInput
      default: .io
      }
    return FieldError(
      code, "The database reported: \(error.message ?? "\(error.resultCode)").", underlying: error)
  }
}
