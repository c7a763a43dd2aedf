public import FieldCore

/// The information that a metro passes to its source.
public struct ArrivalRequest: Sendable, Hashable {
  /// The validators of earlier responses, keyed by exact URL; empty if no board is stored.
  public var validators: [String: HTTPValidators]

  /// Creates a request.
  public init(validators: [String: HTTPValidators] = [:]) { self.validators = validators }
}
