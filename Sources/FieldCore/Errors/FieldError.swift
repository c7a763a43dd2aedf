public import FieldFoundation

/// What every entry point of the package throws, unless it throws `CancellationError`.
///
/// An error carries an open ``Code`` to decide on, a message that says what happened and what to do,
/// and what was known when it happened. The message is for people and may change; the code does not.
///
/// ```swift
/// do {
///   try await catalog.refresh()
/// } catch let error as FieldError where error.code == .offline {
///   showOldData()
/// }
/// ```
///
/// An error that a transport or a store of yours throws becomes ``underlying`` of a `FieldError`; it is
/// never re-coded.
public struct FieldError: Error, Sendable {
  /// What went wrong, to decide on.
  public var code: Code
  /// What happened and what to do about it, in English, for a log or a developer.
  ///
  /// It never contains control characters, not even where it quotes what a server sent.
  public var message: String { didSet { message = message.printable } }
  /// The single problems, when several were found at once, such as in a validation.
  public var problems: [String] { didSet { problems = problems.map(\.printable) } }
  /// The stable id of the operation that failed, such as `meteorites.snapshot`.
  public var operation: String?
  /// The status and header fields of the HTTP answer, when there was one.
  public var response: TransportResponse.Head?
  /// The error that caused this one.
  public var underlying: (any Error)?

  /// Makes an error.
  public init(
    _ code: Code,
    _ message: String,
    problems: [String] = [],
    operation: String? = nil,
    response: TransportResponse.Head? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message.printable
    self.problems = problems.map(\.printable)
    self.operation = operation
    self.response = response
    self.underlying = underlying
  }
}

extension FieldError: CustomStringConvertible {
  /// The code, the message, and what else is known, on one line.
  public var description: String {
    var text = "\(code.rawValue): \(message)"
    if !problems.isEmpty { text += " [\(problems.joined(separator: "; "))]" }
    if let operation { text += " (\(operation))" }
    if let underlying { text += " <- \(underlying)" }
    return text
  }
}

extension FieldError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}

extension FieldError {
  /// Wraps what a user's transport, store or source threw, leaving `CancellationError` and
  /// `FieldError` as they are.
  package static func wrapping(
    _ error: any Error, as code: Code, _ message: String, operation: String? = nil
  ) -> any Error {
    if error is CancellationError { return error }
    if var own = error as? FieldError {
      own.operation = own.operation ?? operation
      return own
    }
    return FieldError(code, message, operation: operation, underlying: error)
  }

  /// Runs `body`, and puts the name of a file or a table in front of the message of its error.
  package static func naming<Result>(
    _ name: String, _ body: () throws(FieldError) -> Result
  ) throws(FieldError) -> Result {
    do throws(FieldError) {
      return try body()
    } catch {
      var error = error
      error.message = "\(name): \(error.message)"
      throw error
    }
  }

  /// Runs `body`; what a user's transport, store or source throws there becomes the underlying error of
  /// a `FieldError`.
  @discardableResult
  package static func wrapping<Result>(
    _ message: String, as code: Code = .io, operation: String? = nil,
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch {
      throw wrapping(error, as: code, message, operation: operation)
    }
  }
}
