public import FieldCore

/// Records a walk.
public final class WalkRecorder: Sendable {
  /// What the walk is known by.
  public var id: Walk.ID { Walk.ID(rawValue: "") }
}
