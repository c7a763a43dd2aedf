extension WalkBackendConformance {
  /// A requirement for backends.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A new backend has no pets, walks, places, selection, or blobs in use.
    public static var emptyAtFirst: Self { Self(rawValue: "emptyAtFirst") }
    /// A pet is returned unchanged, with every field and with none.
    public static var petRoundTrip: Self { Self(rawValue: "petRoundTrip") }
    /// Pets are ordered by their registration and then by their IDs, whatever the order of
    /// insertion.
    public static var petOrder: Self { Self(rawValue: "petOrder") }
    /// A second pet with the same name is refused with `nameTaken`, ignoring case, Unicode forms,
    /// and blanks.
    ///
    /// After the pet is removed, its name is available again.
    public static var petName: Self { Self(rawValue: "petName") }
    /// Adding the same pet again changes nothing, and adding another one with its ID is a
    /// `conflict`.
    public static var petAddedTwice: Self { Self(rawValue: "petAddedTwice") }
    /// A change applies to the current pet, keeps its ID and registration, and can throw without an
    /// effect.
    public static var petUpdate: Self { Self(rawValue: "petUpdate") }
    /// A pet can't take another pet's name, but can change the case of its own.
    public static var petRename: Self { Self(rawValue: "petRename") }
    /// If fifty pets request one name concurrently, one gets it.
    public static var petNameRace: Self { Self(rawValue: "petNameRace") }
    /// Fifty concurrent changes of one pet aren't lost.
    public static var petUpdateRace: Self { Self(rawValue: "petUpdateRace") }
    /// Removing a pet also removes the walks that only it was on, its selection, and its part in
    /// walks with others.
    public static var petRemoval: Self { Self(rawValue: "petRemoval") }
    /// A walk is returned unchanged, with every field and with none.
    public static var walkRoundTrip: Self { Self(rawValue: "walkRoundTrip") }
    /// Saving a walk again leaves the first one unchanged, and returns it.
    public static var walkSavedTwice: Self { Self(rawValue: "walkSavedTwice") }
    /// A walk with a missing pet is refused with `unknownPet`, and so is a change to one.
    public static var walkOfUnknownPet: Self { Self(rawValue: "walkOfUnknownPet") }
    /// Walks are ordered newest first and then by their IDs, whatever the order in which they were
    /// saved.
    public static var walkOrder: Self { Self(rawValue: "walkOrder") }
    /// Pages of any size contain every walk once, even if walks are added or removed between them.
    public static var walkPages: Self { Self(rawValue: "walkPages") }
    /// A history contains only walks of the pet in the period, including its lower bound but not
    /// its upper bound.
    public static var walkFilter: Self { Self(rawValue: "walkFilter") }
    /// A limit below 1 and an invalid cursor are `invalidInput`.
    public static var walkQueryErrors: Self { Self(rawValue: "walkQueryErrors") }
    /// A change applies to the current walk, keeps its ID, and can throw without an effect.
    public static var walkUpdate: Self { Self(rawValue: "walkUpdate") }
    /// If fifty concurrent calls take something from a walk, one gets it.
    public static var walkUpdateRace: Self { Self(rawValue: "walkUpdateRace") }
    /// A removed walk no longer exists, and removing a missing walk succeeds.
    public static var walkRemoval: Self { Self(rawValue: "walkRemoval") }
    /// Places are returned unchanged, by their names, and a place replaces the one with its ID.
    public static var placeRoundTrip: Self { Self(rawValue: "placeRoundTrip") }
    /// A new home replaces the old one; goals stay.
    public static var onlyOneHome: Self { Self(rawValue: "onlyOneHome") }
    /// A selection is stored, changed, and cleared.
    public static var choice: Self { Self(rawValue: "choice") }
    /// A batch adds new items, leaves existing ones unchanged, and returns what it added.
    public static var batch: Self { Self(rawValue: "batch") }
    /// A batch with a pet whose name is taken, or with a walk without a pet, adds nothing.
    public static var batchIsWhole: Self { Self(rawValue: "batchIsWhole") }
    /// The blobs in use are exactly those of portraits, photos, and routes.
    public static var blobsInUse: Self { Self(rawValue: "blobsInUse") }
    /// Blobs are returned byte for byte, and the sweep keeps those in use.
    public static var blobRoundTrip: Self { Self(rawValue: "blobRoundTrip") }
    /// After erasing, nothing is left, and all names are available.
    public static var erasing: Self { Self(rawValue: "erasing") }
    /// Updates begin with everything, and then report which pets and walks have changed.
    public static var updates: Self { Self(rawValue: "updates") }
    /// Stored data is available after the backend is reopened.
    public static var reopening: Self { Self(rawValue: "reopening") }

    /// All cases.
    public static var all: Set<Case> { WalkBackendConformance.allCases.union([.reopening]) }
  }
}
