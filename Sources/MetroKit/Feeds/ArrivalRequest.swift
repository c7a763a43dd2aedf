public import FieldCore

/// What a metro tells its source.
public struct ArrivalRequest: Sendable, Hashable {
  /// What earlier answers can be confirmed by, for each exact address; empty when no board is kept.
  public var validators: [String: HTTPValidators]

  /// Makes a request.
  public init(validators: [String: HTTPValidators] = [:]) {
    self.validators = validators
  }
}
