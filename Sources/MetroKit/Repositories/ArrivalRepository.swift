public import FieldCore

/// Where a metro keeps its last board.
///
/// ``StoredArrivals`` is the one over any record store; implement the protocol to keep the board in a
/// database of an app's own. `ArrivalBoard` is `Codable`, and a row of JSON is all that it takes.
///
/// ### How to implement it
///
/// - ``save(_:)`` replaces the board whole or not at all: whoever loads meanwhile gets the old board or
///   the new one.
/// - ``load()`` gives what was last saved, also after a restart, and nil when nothing was.
/// - Throw `FieldError`; what else is thrown becomes the `underlying` error of one.
public protocol ArrivalRepository: Sendable {
  /// Opens what has to be opened, and tells what was found; every other call does it by itself.
  @discardableResult
  func open() async throws -> OpeningReport

  /// The board that was last saved; nil when there is none.
  func load() async throws -> ArrivalBoard?

  /// Keeps a board in place of the one before.
  func save(_ board: ArrivalBoard) async throws

  /// Forgets the board.
  func eraseAll() async throws

  /// Ends the use.
  func close() async throws
}
