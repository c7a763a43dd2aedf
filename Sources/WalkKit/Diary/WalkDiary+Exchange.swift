internal import FieldCore
internal import FieldFoundation

extension WalkDiary {
  // MARK: Exporting

  /// Returns all pets and walks as a document in the format of the old app.
  @concurrent
  public func export() async throws -> WalkExport {
    WalkExport(pets: try await pets(includingArchived: true), walks: try await allWalks())
  }

  /// Returns everything in the diary, for a backup.
  ///
  /// ```swift
  /// let archive = try await diary.archive()
  /// try archive.json().write(to: folder.appending(path: "diary.json"))
  /// ```
  ///
  /// - Parameter attachments: Whether to include the bytes of photos and routes, all of which are
  ///   then in memory. Defaults to `true`.
  /// - Throws: `FieldError` with the code `walks.blobMissing` or `store.damaged` if bytes are
  ///   missing or damaged, because an incomplete backup shouldn't look complete.
  @concurrent
  public func archive(withAttachments attachments: Bool = true) async throws -> WalkArchive {
    try await core.read("The diary can't be archived.") {
      var archive = try await records()
      guard attachments else { return archive }
      while true {
        do {
          archive.attachments = try await self.attachments(of: archive)
          return archive
        } catch let error as FieldError where error.code == .blobMissing {
          // Ignore bytes whose records were deleted in the meantime; each iteration requires
          // another change.
          let now = try await records()
          guard now.pets != archive.pets || now.walks != archive.walks else { throw error }
          archive = now
        }
      }
    }
  }

  private func records() async throws -> WalkArchive {
    // Read walks before pets: a pet that is registered in the meantime may lack its first walk, but
    // no walk lacks its pet.
    let walks = try await core.allWalks(of: nil, in: nil)
    return WalkArchive(
      pets: try await core.stored.pets(), walks: walks,
      places: try await core.stored.places(), exported: core.clock.now)
  }

  /// Returns the bytes that the records of an archive refer to, but not those of records added
  /// since.
  private func attachments(of archive: WalkArchive) async throws -> [WalkArchive.Attachment] {
    let ids = Set(archive.pets.flatMap(\.blobs) + archive.walks.flatMap(\.blobs))
    var attachments: [WalkArchive.Attachment] = []
    for id in ids.sorted(by: { $0.hexadecimal < $1.hexadecimal }) {
      try Task.checkCancellation()
      guard let bytes = try await core.stored.blobs.bytes(of: id) else {
        throw FieldError(.blobMissing, "The bytes \(id) of a photo or route are missing.")
      }
      attachments.append(WalkArchive.Attachment(Data(bytes)))
    }
    return attachments
  }

  // MARK: Importing

  /// Adds the new records of a document of the old app, in one step.
  ///
  /// If the name of a pet is taken, its walks are added to the pet that has the name, as the old
  /// app did. Existing pets and walks aren't changed. Importing the same document again adds
  /// nothing, even if such a pet has been renamed. Two pets with the same name in the document stay
  /// two, and a number is appended to the name of the second.
  @concurrent
  @discardableResult
  public func add(_ imported: WalkImport) async throws -> WalkAdditions {
    try await core.write("The document can't be imported.") {
      var additions = try await add(WalkBatch(pets: imported.pets, walks: imported.walks))
      additions.problems = imported.problems + additions.problems
      return additions
    }
  }

  /// Adds the new records of an archive with its bytes, in one step, as for a document of the old
  /// app.
  ///
  /// ```swift
  /// let bytes = try Data(contentsOf: folder.appending(path: "diary.json"))
  /// let archive = try WalkArchive(reading: bytes)
  /// print(try await diary.add(archive))
  /// ```
  @concurrent
  @discardableResult
  public func add(_ archive: WalkArchive) async throws -> WalkAdditions {
    try await core.write("The archive can't be imported.") {
      var leases: [BlobLease] = []
      defer { for lease in leases { lease.end() } }
      for attachment in archive.attachments {
        leases.append(try await core.stored.blobs.put([UInt8](attachment.bytes)))
      }
      var additions = try await add(
        WalkBatch(pets: archive.pets, walks: archive.walks, places: archive.places))
      additions.problems = archive.problems + additions.problems
      // Existing records may refer to bytes that were missing. If the blobs in use can't be listed,
      // they stay unclaimed, and a sweep keeps those in use.
      if let used = try? await core.stored.blobsInUse() {
        await core.stored.claim(used.intersection(leases.map(\.id)))
      }
      return additions
    }
  }

  /// Returns the pets that the pets of a batch correspond to, according to earlier imports and
  /// existing walks, because they may have been renamed since.
  private func owners(of batch: WalkBatch, among pets: [Pet]) async throws -> [Pet.ID: Pet.ID] {
    // Each existing walk has an existing pet.
    guard !pets.isEmpty else { return [:] }
    var known = Set(pets.map(\.id))
    var owners = try await core.stored.aliases().filter { known.contains($0.value) }
    known.formUnion(owners.keys)
    for walk in batch.walks where !walk.pets.allSatisfy({ known.contains($0.pet) }) {
      guard let present = try await core.stored.walk(walk.id),
        present.pets.count == walk.pets.count
      else { continue }
      for (old, new) in zip(walk.pets, present.pets) where known.insert(old.pet).inserted {
        owners[old.pet] = new.pet
      }
    }
    return owners
  }

  private func add(_ batch: WalkBatch) async throws -> WalkAdditions {
    // Another process may take a name between the check and the commit; if so, check again.
    for attempt in 0... {
      let pets = try await core.stored.pets()
      let (adapted, renamed, problems) = batch.adapted(
        to: pets, knowing: try await owners(of: batch, among: pets))
      do {
        let added = try await core.stored.add(adapted)
        let ids = Set(added.pets.map(\.id))
        return WalkAdditions(
          added: added,
          known: batch.pets.count + batch.walks.count + batch.places.count
            - added.pets.count - added.walks.count - added.places.count - problems.count,
          renamed: renamed.filter { ids.contains($0) }, problems: problems)
      } catch let error as FieldError where error.code == .nameTaken && attempt < 8 {
        try Task.checkCancellation()
      }
    }
    throw FieldError(.conflict, "The pets' names keep changing. Try again.")
  }
}
