public import FieldCore

extension FieldError.Code {
  /// Another pet in the diary has this name, or one that looks the same to a reader.
  public static var nameTaken: Self { Self(rawValue: "walks.nameTaken") { WalkGuidance.table } }
  /// There is no pet with this ID.
  public static var unknownPet: Self { Self(rawValue: "walks.unknownPet") { WalkGuidance.table } }
  /// There is no walk with this ID.
  public static var unknownWalk: Self { Self(rawValue: "walks.unknownWalk") { WalkGuidance.table } }
  /// There is no place with this ID.
  public static var unknownPlace: Self {
    Self(rawValue: "walks.unknownPlace") { WalkGuidance.table }
  }
  /// The pet is archived and can't go for walks.
  public static var petArchived: Self { Self(rawValue: "walks.petArchived") { WalkGuidance.table } }
  /// The bytes of a photo or a route no longer exist.
  public static var blobMissing: Self { Self(rawValue: "walks.blobMissing") { WalkGuidance.table } }
  /// The same operation is already in progress.
  public static var operationInProgress: Self {
    Self(rawValue: "walks.operationInProgress") { WalkGuidance.table }
  }
}
