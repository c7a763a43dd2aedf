/// The error that every entry point of the package throws, except for `CancellationError`.
///
/// An error contains an open ``Code`` to base decisions on, a message that says what happened and
/// what to do, and what was known at the time. The message is for developers and may change; the
/// code doesn't. For strings to show to users, see ``localized(in:catalog:)``.
///
/// ```swift
/// do {
///   try await catalog.refresh()
/// } catch let error as FieldError where error.code == .offline {
///   showOldData()
/// }
/// ```
///
/// If your transport or store throws its own error, that becomes ``underlying``; a `FieldError`
/// that it throws keeps its code.
public struct FieldError: Error, Sendable {
  /// The kind of the error.
  public var code: Code
  /// A description of what happened and what to do about it, in English, for a log or a developer.
  ///
  /// The message never contains control characters, not even where it quotes a server.
  public var message: String { didSet { message = message.printable } }
  /// The individual problems, if several were found at once, such as in a validation.
  ///
  /// ```swift
  /// do {
  ///   try await diary.register(PetRegistration(name: ""))
  /// } catch let error as FieldError where error.code == .invalidInput {
  ///   print(error.problems.joined(separator: "\n"))
  /// }
  /// ```
  public var problems: [String] { didSet { problems = problems.map(\.printable) } }
  /// The stable ID of the operation that failed, such as `meteorites.snapshot`.
  public var operation: String?
  /// The status and header fields of the HTTP response, if there was one.
  public var response: TransportResponse.Head?
  /// The error that caused this one.
  public var underlying: (any Error)?

  /// Creates an error.
  ///
  /// ```swift
  /// throw FieldError(.notFound, "The trail \(number) doesn't exist. Check its number.")
  /// ```
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

extension FieldError {
  /// Wraps an error that a custom transport, store, or source threw.
  ///
  /// `CancellationError` and `FieldError` are returned as they are, except that an operation is
  /// added.
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

  /// Runs a closure, and sets the operation of its error.
  package static func during<Result>(
    _ operation: String, _ body: () throws(FieldError) -> Result
  ) throws(FieldError) -> Result {
    do throws(FieldError) {
      return try body()
    } catch {
      var error = error
      error.operation = operation
      throw error
    }
  }

  /// Runs a closure, and prefixes the message of its error with the name of a file or a table.
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

  /// Runs a closure, and wraps an error that custom code throws there in a `FieldError`.
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
