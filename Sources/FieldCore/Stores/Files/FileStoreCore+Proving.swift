extension FileStoreCore {
  /// Returns the proofs of this program for the frames of the file.
  ///
  /// - Parameter isProving: Whether to prove frames for which there is no proof.
  func proofs(of header: StoreFileHeader, isProving: Bool) -> FrameProofs {
    let isDoubted = hub.current.failure != nil
    return FrameProofs(isProving: isProving && !isDoubted, isDoubted: isDoubted) { [program] in
      program().flatMap { FrameProofs.owner(Record.self, in: $0) }
    } read: { [self] owner in
      let sections = derivedFile(of: header) { $0 == owner && $1 == Self.proofName }?.sections
      return sections?.first.map { [Frame](section: $0.bytes) } ?? []
    }
  }

  /// Returns the source of records that are decoded when they are used.
  func makeSource() -> StoredSource {
    StoredSource(path: paths.file) { [fileSystem, paths] in
      // The next opening decodes all records, in any process.
      _ = try? fileSystem.removeIfThere(paths.derived)
    }
  }

  /// Throws if a record couldn't be decoded when it was used.
  func checkDecoding() throws(FieldError) {
    if let failure = hub.current.failure { throw failure }
  }

  /// Keeps proofs for later openings.
  ///
  /// A failure only means that the next opening decodes all records, too.
  func keep(_ proofs: inout FrameProofs, of header: StoreFileHeader) {
    guard proofs.isNew, let owner = proofs.owner else { return }
    var derived =
      derivedFile(of: header) { _, _ in true } ?? DerivedFile(creationID: header.creationID)
    derived.put(.init(owner: owner, name: Self.proofName, bytes: proofs.frames.bytes))
    _ = try? write(derived)
  }

  private static var proofName: String { "proof" }

  /// Returns the intact sections of the derived file that `isWanted` accepts; `nil` if there is no such file.
  private func derivedFile(
    of header: StoreFileHeader, where isWanted: ([UInt8], String) -> Bool
  ) -> DerivedFile? {
    guard let file = try? fileSystem.openFile(paths.derived, .reading) else { return nil }
    defer { _ = try? fileSystem.closeFile(file) }
    return try? DerivedFile(creationID: header.creationID, where: isWanted) {
      (place, count) throws(FileSystemError) in
      try fileSystem.read(file, at: place, count: count)
    }
  }

  /// Replaces the derived file, without a sync: its checksums show whether it is intact.
  private func write(_ derived: DerivedFile) throws(FileSystemError) {
    try fileSystem.removeIfThere(paths.newDerived)
    let file = try fileSystem.makeFile(paths.newDerived) { file throws(FileSystemError) in
      try fileSystem.write(derived.bytes, to: file, at: 0)
      try fileSystem.excludeFromBackup(paths.newDerived)
      try fileSystem.rename(paths.newDerived, to: paths.derived)
    }
    try fileSystem.closeFile(file)
  }

  /// Removes the derived file, which may contain parts of records.
  func removeDerived() throws(FileSystemError) {
    for path in [paths.newDerived, paths.derived] { try fileSystem.removeIfThere(path) }
  }
}
