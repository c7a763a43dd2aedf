public import FieldCore

extension FieldError.Code {
  /// What was asked for is not possible in the state that the walk is in.
  public static var walkState: Self { Self(rawValue: "walks.state") { WalkGuidance.table } }
  /// One of the pets is on another walk that is being recorded.
  public static var petIsOut: Self { Self(rawValue: "walks.petIsOut") { WalkGuidance.table } }
  /// The unfinished walk is being recorded or finished elsewhere, perhaps by another process.
  public static var walkIsTaken: Self { Self(rawValue: "walks.taken") { WalkGuidance.table } }
}
