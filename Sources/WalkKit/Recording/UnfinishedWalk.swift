public import FieldCore

/// A walk that was not finished, since the app ended.
public struct UnfinishedWalk: Sendable {
  /// What the walk is known by.
  public var id: Walk.ID { Walk.ID(rawValue: "") }
}
