public import FieldCore

extension FieldError.Code {
  /// Another pet of the diary has this name; names that a reader takes for the same count as one.
  public static var nameTaken: Self { Self(rawValue: "walks.nameTaken") }
  /// There is no pet of this id.
  public static var unknownPet: Self { Self(rawValue: "walks.unknownPet") }
  /// There is no walk of this id.
  public static var unknownWalk: Self { Self(rawValue: "walks.unknownWalk") }
  /// There is no place of this id.
  public static var unknownPlace: Self { Self(rawValue: "walks.unknownPlace") }
  /// The pet is archived, and does not go for walks.
  public static var petArchived: Self { Self(rawValue: "walks.petArchived") }
  /// The bytes of a photo or a route are not there any more.
  public static var blobMissing: Self { Self(rawValue: "walks.blobMissing") }
  /// The same thing is being done already.
  public static var operationInProgress: Self { Self(rawValue: "walks.operationInProgress") }
}
