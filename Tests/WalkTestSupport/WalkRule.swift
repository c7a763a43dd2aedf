import Testing

/// A rule that a diary keeps over every store, and the test of it.
package struct WalkRule: Sendable, CustomTestStringConvertible {
  /// What holds, in a sentence.
  package let testDescription: String
  /// Throws what was seen instead.
  package let check: @Sendable (WalkProbe) async throws -> Void

  private init(_ rule: String, _ check: @escaping @Sendable (WalkProbe) async throws -> Void) {
    testDescription = rule
    self.check = check
  }

  /// The rules that hold over every store.
  package static var all: [WalkRule] {
    [
      WalkRule(
        "A new diary has no pets, walks, places, selection, or blobs in use.",
        { try await $0.emptyAtFirst() }),
      WalkRule(
        "A pet is returned unchanged, with every field and with none.",
        { try await $0.petRoundTrip() }),
      WalkRule(
        "Pets are ordered by their registration and then by their IDs, whatever the order of insertion.",
        { try await $0.petOrder() }),
      WalkRule(
        "A name that a pet has is refused, ignoring case, Unicode forms, and blanks, until that pet is removed.",
        { try await $0.petName() }),
      WalkRule(
        "Adding a pet again changes nothing, and adding another one with its ID is a conflict.",
        { try await $0.petAddedTwice() }),
      WalkRule(
        "A change applies to the current pet, keeps its ID and registration, and can throw without an effect.",
        { try await $0.petUpdate() }),
      WalkRule(
        "A pet can't take another pet's name, but can change the case of its own.",
        { try await $0.petRename() }),
      WalkRule(
        "If fifty pets request one name concurrently, one gets it.",
        { try await $0.petNameRace() }),
      WalkRule(
        "Fifty concurrent changes of one pet aren't lost.",
        { try await $0.petUpdateRace() }),
      WalkRule(
        "Removing a pet removes the walks that only it was on, its selection, and its part in walks with others.",
        { try await $0.petRemoval() }),
      WalkRule(
        "A walk is returned unchanged, with every field and with none.",
        { try await $0.walkRoundTrip() }),
      WalkRule(
        "Saving a walk again leaves the first one unchanged, and returns it.",
        { try await $0.walkSavedTwice() }),
      WalkRule(
        "A walk with a missing pet is refused, and so is a change to one.",
        { try await $0.walkOfUnknownPet() }),
      WalkRule(
        "Walks are ordered newest first and then by their IDs, whatever the order in which they were saved.",
        { try await $0.walkOrder() }),
      WalkRule(
        "Pages of any size contain every walk once, even if walks are added or removed between them.",
        { try await $0.walkPages() }),
      WalkRule(
        "A history contains only walks of the pet in the period, including its lower bound but not its upper bound.",
        { try await $0.walkFilter() }),
      WalkRule(
        "A limit below 1 and an invalid cursor are errors of the caller.",
        { try await $0.walkQueryErrors() }),
      WalkRule(
        "A change applies to the current walk, keeps its ID, and can throw without an effect.",
        { try await $0.walkUpdate() }),
      WalkRule(
        "If fifty concurrent calls take something from a walk, one gets it.",
        { try await $0.walkUpdateRace() }),
      WalkRule(
        "A removed walk no longer exists, and removing a missing walk succeeds.",
        { try await $0.walkRemoval() }),
      WalkRule(
        "Places are returned unchanged, by their names, and a place replaces the one with its ID.",
        { try await $0.placeRoundTrip() }),
      WalkRule(
        "A new home replaces the old one, and goals stay.",
        { try await $0.onlyOneHome() }),
      WalkRule(
        "A selection is stored, changed, and cleared.",
        { try await $0.choice() }),
      WalkRule(
        "A batch adds new items, leaves existing ones unchanged, and returns what it added.",
        { try await $0.batch() }),
      WalkRule(
        "A batch with a pet whose name is taken, or with a walk without a pet, adds nothing.",
        { try await $0.batchIsWhole() }),
      WalkRule(
        "The blobs in use are exactly those of portraits, photos, and routes.",
        { try await $0.blobsInUse() }),
      WalkRule(
        "Blobs are returned byte for byte, and the sweep keeps those in use.",
        { try await $0.blobRoundTrip() }),
      WalkRule(
        "After erasing, nothing is left, and all names are available.",
        { try await $0.erasing() }),
      WalkRule(
        "Updates begin with everything, and then report which pets and walks have changed.",
        { try await $0.updates() }),
    ]
  }

  /// The rules that hold over a store that outlives its process.
  package static var ofFiles: [WalkRule] {
    all + [
      WalkRule(
        "What was stored is there after the diary is opened again.", { try await $0.reopening() })
    ]
  }
}
