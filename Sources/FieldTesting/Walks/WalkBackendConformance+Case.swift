extension WalkBackendConformance {
  /// One thing that a backend must do.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Makes a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A new backend has no pets, walks, places, choice and blobs in use.
    public static var emptyAtFirst: Self { Self(rawValue: "emptyAtFirst") }
    /// A pet is given back as it was, with every field and with none.
    public static var petRoundTrip: Self { Self(rawValue: "petRoundTrip") }
    /// Pets are ordered by their registration and then by their ids, in whatever order they came.
    public static var petOrder: Self { Self(rawValue: "petOrder") }
    /// A second pet of a name is refused with `nameTaken`, other capitals, forms and blanks
    /// included; its name is free again when it is gone.
    public static var petName: Self { Self(rawValue: "petName") }
    /// Adding the same pet again changes nothing, and another one of its id is a `conflict`.
    public static var petAddedTwice: Self { Self(rawValue: "petAddedTwice") }
    /// A change is made to the pet as it is, keeps its id and registration, and can throw without
    /// an effect.
    public static var petUpdate: Self { Self(rawValue: "petUpdate") }
    /// A pet cannot take another's name, and can change the capitals of its own.
    public static var petRename: Self { Self(rawValue: "petRename") }
    /// Of fifty pets that want one name at once, one gets it.
    public static var petNameRace: Self { Self(rawValue: "petNameRace") }
    /// Fifty changes of one pet at once are none of them lost.
    public static var petUpdateRace: Self { Self(rawValue: "petUpdateRace") }
    /// A pet goes with the walks that only it was on, its choice, and its part in the walks with
    /// others.
    public static var petRemoval: Self { Self(rawValue: "petRemoval") }
    /// A walk is given back as it was, with every field and with none.
    public static var walkRoundTrip: Self { Self(rawValue: "walkRoundTrip") }
    /// Saving a walk again leaves the first one as it is, and returns it.
    public static var walkSavedTwice: Self { Self(rawValue: "walkSavedTwice") }
    /// A walk whose pet is not there is refused with `unknownPet`, and so is a change to one.
    public static var walkOfUnknownPet: Self { Self(rawValue: "walkOfUnknownPet") }
    /// Walks are newest first and then by their ids, in whatever order they were saved.
    public static var walkOrder: Self { Self(rawValue: "walkOrder") }
    /// Pages of any size give every walk once, also when walks come and go between them.
    public static var walkPages: Self { Self(rawValue: "walkPages") }
    /// A history is of the pet and the period alone; the lower end belongs to it and the upper
    /// does not.
    public static var walkFilter: Self { Self(rawValue: "walkFilter") }
    /// A limit below 1 and a text that is no cursor are `invalidInput`.
    public static var walkQueryErrors: Self { Self(rawValue: "walkQueryErrors") }
    /// A change is made to the walk as it is, keeps its id, and can throw without an effect.
    public static var walkUpdate: Self { Self(rawValue: "walkUpdate") }
    /// Of fifty calls at once that take something from a walk, one gets it.
    public static var walkUpdateRace: Self { Self(rawValue: "walkUpdateRace") }
    /// A walk that was removed is gone, and one that is not there can be removed.
    public static var walkRemoval: Self { Self(rawValue: "walkRemoval") }
    /// Places are given back as they were, by their names; one is replaced by its id.
    public static var placeRoundTrip: Self { Self(rawValue: "placeRoundTrip") }
    /// A new home takes the place of the old one; goals stay.
    public static var onlyOneHome: Self { Self(rawValue: "onlyOneHome") }
    /// A choice is kept, changed and taken back.
    public static var choice: Self { Self(rawValue: "choice") }
    /// A batch adds what is new, leaves what is there, and says what it added.
    public static var batch: Self { Self(rawValue: "batch") }
    /// A batch with a pet whose name is taken, or a walk of no pet, adds nothing.
    public static var batchIsWhole: Self { Self(rawValue: "batchIsWhole") }
    /// The blobs in use are those of portraits, photos and routes, and no others.
    public static var blobsInUse: Self { Self(rawValue: "blobsInUse") }
    /// Blobs are given back byte for byte, and the sweep spares what is in use.
    public static var blobRoundTrip: Self { Self(rawValue: "blobRoundTrip") }
    /// After erasing there is nothing, and all names are free.
    public static var erasing: Self { Self(rawValue: "erasing") }
    /// Updates begin with everything, and then tell which pets and walks have changed.
    public static var updates: Self { Self(rawValue: "updates") }
    /// What was stored is there again when the backend is opened again.
    public static var reopening: Self { Self(rawValue: "reopening") }

    /// All of them.
    public static var all: Set<Case> {
      [
        .emptyAtFirst, .petRoundTrip, .petOrder, .petName, .petAddedTwice, .petUpdate,
        .petRename, .petNameRace, .petUpdateRace, .petRemoval, .walkRoundTrip, .walkSavedTwice,
        .walkOfUnknownPet, .walkOrder, .walkPages, .walkFilter, .walkQueryErrors, .walkUpdate,
        .walkUpdateRace, .walkRemoval, .placeRoundTrip, .onlyOneHome, .choice, .batch,
        .batchIsWhole, .blobsInUse, .blobRoundTrip, .erasing, .updates, .reopening,
      ]
    }
  }
}
