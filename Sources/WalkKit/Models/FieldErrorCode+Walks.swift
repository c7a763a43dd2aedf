public import FieldCore

extension FieldError.Code {
  // MARK: The diary

  /// Another pet in the diary has this name, or one that looks the same to a reader.
  public static var nameTaken: Self { guided("walks.nameTaken") }
  /// There is no pet with this ID.
  public static var unknownPet: Self { guided("walks.unknownPet") }
  /// There is no walk with this ID.
  public static var unknownWalk: Self { guided("walks.unknownWalk") }
  /// There is no place with this ID.
  public static var unknownPlace: Self { guided("walks.unknownPlace") }
  /// The pet is archived and can't go for walks.
  public static var petArchived: Self { guided("walks.petArchived") }
  /// The bytes of a photo or a route no longer exist.
  public static var blobMissing: Self { guided("walks.blobMissing") }
  /// The same operation is already in progress.
  public static var operationInProgress: Self { guided("walks.operationInProgress") }

  // MARK: Recording

  /// The state of the walk doesn't allow the action.
  public static var walkState: Self { guided("walks.state") }
  /// One of the pets is on another walk that is being recorded.
  public static var petIsOut: Self { guided("walks.petIsOut") }
  /// The unfinished walk is being recorded or finished elsewhere, perhaps by another process.
  public static var walkIsTaken: Self { guided("walks.taken") }

  // MARK: Weather and air quality

  /// A weather or air quality service doesn't accept the key, or no longer does.
  public static var serviceKeyRefused: Self { guided("walks.serviceKeyRefused") }
  /// A weather or air quality service reported an error of its own, whatever the status.
  public static var conditionsRefused: Self { guided("walks.conditionsRefused") }
  /// A weather or air quality service doesn't know the place or the station.
  public static var noConditions: Self { guided("walks.noConditions") }

  private static func guided(_ rawValue: String) -> Self {
    Self(rawValue: rawValue) { WalkGuidance.table }
  }
}
