public import FieldCore

extension FieldError.Code {
  /// The state of the walk doesn't allow the action.
  public static var walkState: Self { Self(rawValue: "walks.state") { WalkGuidance.table } }
  /// One of the pets is on another walk that is being recorded.
  public static var petIsOut: Self { Self(rawValue: "walks.petIsOut") { WalkGuidance.table } }
  /// The unfinished walk is being recorded or finished elsewhere, perhaps by another process.
  public static var walkIsTaken: Self { Self(rawValue: "walks.taken") { WalkGuidance.table } }
}
