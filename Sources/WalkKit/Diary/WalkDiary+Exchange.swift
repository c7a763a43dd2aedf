internal import FieldCore
internal import FieldFoundation

extension WalkDiary {
  // MARK: Out

  /// All pets and walks as a document of the old app has them.
  @concurrent
  public func export() async throws -> WalkExport {
    WalkExport(pets: try await pets(includingArchived: true), walks: try await allWalks())
  }

  /// Everything in the diary, for a backup.
  ///
  /// - Parameter attachments: Whether the bytes of photos and routes are in it. All of them are in
  ///   memory then.
  /// - Throws: `FieldError` with the code `blobMissing` or `damaged` when bytes are not there or not what
  ///   was stored: a backup that lacks something should not look whole.
  @concurrent
  public func archive(withAttachments attachments: Bool = true) async throws -> WalkArchive {
    try await core.read("the diary cannot be archived") {
      var archive = try await records()
      guard attachments else { return archive }
      while true {
        do {
          archive.attachments = try await self.attachments(of: archive)
          return archive
        } catch let error as FieldError where error.code == .blobMissing {
          // What was deleted meanwhile is not missed; each turn of this needs another change.
          let now = try await records()
          guard now.pets != archive.pets || now.walks != archive.walks else { throw error }
          archive = now
        }
      }
    }
  }

  private func records() async throws -> WalkArchive {
    // Walks before pets: a pet that is registered meanwhile may be without its first walk, and never
    // a walk without its pet.
    let walks = try await core.allWalks(of: nil, in: nil)
    return WalkArchive(
      pets: try await core.backend.pets.pets(), walks: walks,
      places: try await core.backend.places.places(), exported: core.clock.now)
  }

  /// The bytes that the records of an archive refer to: of just these records, since others may be there
  /// by now.
  private func attachments(of archive: WalkArchive) async throws -> [WalkArchive.Attachment] {
    var ids = Set(archive.pets.compactMap(\.photo?.blob))
    for walk in archive.walks {
      ids.formUnion(walk.photos.compactMap(\.blob))
      if let route = walk.routeBlob { ids.insert(route) }
    }
    var attachments: [WalkArchive.Attachment] = []
    for id in ids.sorted(by: { $0.hexadecimal < $1.hexadecimal }) {
      try Task.checkCancellation()
      guard let bytes = try await core.backend.blobs.bytes(of: id) else {
        throw FieldError(.blobMissing, "the bytes \(id) of a photo or a route are not there")
      }
      attachments.append(WalkArchive.Attachment(Data(bytes)))
    }
    return attachments
  }

  // MARK: In

  /// Adds what is new of a document of the old app, all of it in one step.
  ///
  /// A pet whose name is taken is the one that has the name, and its walks are added to that one: so the
  /// old app joined them too. Pets and walks that are there already are left as they are; the same
  /// document adds nothing a second time, also when such a pet has got another name meanwhile. Two pets
  /// of one name in the document stay two: the second gets a number behind its name.
  @concurrent
  @discardableResult
  public func add(_ imported: WalkImport) async throws -> WalkAdditions {
    try await core.write("the document cannot be imported") {
      var additions = try await add(WalkBatch(pets: imported.pets, walks: imported.walks))
      additions.problems = imported.problems + additions.problems
      return additions
    }
  }

  /// Adds what is new of an archive, with the bytes that it has, all of it in one step; as with
  /// a document of the old app.
  @concurrent
  @discardableResult
  public func add(_ archive: WalkArchive) async throws -> WalkAdditions {
    try await core.write("the archive cannot be imported") {
      var leases: [BlobLease] = []
      defer { for lease in leases { lease.end() } }
      for attachment in archive.attachments {
        leases.append(try await core.backend.blobs.put([UInt8](attachment.bytes)))
      }
      var additions = try await add(
        WalkBatch(pets: archive.pets, walks: archive.walks, places: archive.places))
      additions.problems = archive.problems + additions.problems
      // Records that were here already may refer to bytes that were not.
      await core.claimIfInUse(leases.map(\.id))
      return additions
    }
  }

  /// The pets that those of a batch are, by what earlier imports have found out and by walks that are
  /// here already: they may have other names by now.
  private func owners(of batch: WalkBatch, among pets: [Pet]) async throws -> [Pet.ID: Pet.ID] {
    // Each walk that is here has a pet that is here.
    guard !pets.isEmpty else { return [:] }
    var known = Set(pets.map(\.id))
    var owners = try await core.backend.batches.aliases().filter { known.contains($0.value) }
    known.formUnion(owners.keys)
    for walk in batch.walks where !walk.pets.allSatisfy({ known.contains($0.pet) }) {
      guard let present = try await core.backend.walks.walk(walk.id),
        present.pets.count == walk.pets.count
      else { continue }
      for (old, new) in zip(walk.pets, present.pets) where known.insert(old.pet).inserted {
        owners[old.pet] = new.pet
      }
    }
    return owners
  }

  private func add(_ batch: WalkBatch) async throws -> WalkAdditions {
    // Another process may take a name between the look and the step, and then it is looked at again.
    for attempt in 0... {
      let pets = try await core.backend.pets.pets()
      let (adapted, renamed, problems) = batch.adapted(
        to: pets, knowing: try await owners(of: batch, among: pets))
      do {
        let added = try await core.backend.batches.add(adapted)
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
    throw FieldError(.conflict, "the names of pets change all the time; try again")
  }
}
