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
  func keep(_ proofs: inout FrameProofs, of disk: StoreDisk<Record>) {
    guard proofs.isNew, let owner = proofs.owner else { return }
    var derived = derivedFile(of: disk)
    derived.put(.init(owner: owner, name: Self.proofName, bytes: proofs.frames.bytes))
    guard let file = try? writeNew(derived) else { return }
    do throws(FileSystemError) {
      try fileSystem.rename(paths.newDerived, to: paths.derived)
    } catch {
      _ = try? fileSystem.removeIfThere(paths.newDerived)
    }
    _ = try? fileSystem.closeFile(file)
  }

  static var proofName: String { "proof" }

  /// Returns the derived file as far as it is of use, or an empty one.
  func derivedFile(of disk: StoreDisk<Record>) -> DerivedFile {
    var derived =
      derivedFile(of: disk.header) { _, _ in true }
      ?? DerivedFile(creationID: disk.header.creationID)
    // A process that numbers slots in its own way doesn't know which indexes are of use.
    guard !disk.chain.links.isEmpty else { return derived }
    derived.removeSections { section in
      guard section.name != Self.proofName else { return false }
      var reader = SectionReader(section.bytes)
      return IndexStamp(from: &reader).flatMap { disk.chain.current($0.link) } == nil
    }
    return derived
  }

  /// Returns the intact sections of the derived file that `isWanted` accepts; `nil` if there is no such file.
  func derivedFile(
    of header: StoreFileHeader, where isWanted: ([UInt8], String) -> Bool
  ) -> DerivedFile? {
    guard let file = try? fileSystem.openFile(paths.derived, .reading) else { return nil }
    defer { _ = try? fileSystem.closeFile(file) }
    return try? DerivedFile(creationID: header.creationID, where: isWanted) {
      (place, count) throws(FileSystemError) in
      try fileSystem.read(file, at: place, count: count)
    }
  }

  /// Writes a derived file beside the present one, without a sync: its checksums show whether it is intact.
  func writeNew(_ derived: DerivedFile) throws(FileSystemError) -> OpenFile {
    try fileSystem.removeIfThere(paths.newDerived)
    return try fileSystem.makeFile(paths.newDerived) { file throws(FileSystemError) in
      try fileSystem.write(derived.bytes, to: file, at: 0)
      try fileSystem.excludeFromBackup(paths.newDerived)
    }
  }

  /// Removes the derived file, which may contain parts of records.
  func removeDerived() throws(FileSystemError) {
    for path in [paths.newDerived, paths.derived] { try fileSystem.removeIfThere(path) }
  }
}

extension FileStoreCore {
  /// Proves a frame that contains everything, some time after the commit, so that the next opening needn't decode it.
  ///
  /// The records were encoded by this program, but that doesn't prove that it can decode them.
  func proveLater(_ frame: Frame) {
    guard let provingClock, !Record._isIndexed, FrameProofs.concerns(frame) else { return }
    let task = Task.detached(priority: .background) { [weak self] in
      // An import and its first queries have the processor for themselves.
      guard (try? await provingClock.sleep(for: .seconds(3))) != nil else { return }
      // Without a proof, the next opening decodes the records, and reports what it can't decode.
      _ = try? await self?.prove(frame)
    }
    state.withLock { state in
      state.proving?.cancel()
      state.proving = task
    }
  }

  func stopProving() {
    // The task stays in the closure, because using its type for a result takes a tenth of a millisecond in a new process.
    state.withLock { state in
      state.proving?.cancel()
      state.proving = nil
    }
  }

  private func prove(_ frame: Frame) async throws {
    guard let header = disk?.header, try proves(frame, of: header) else { return }
    try await asyncLock.withLock {
      try await processLock.hold {
        guard let disk = self.disk, disk.header == header else { return }
        // The file may be another one by now, in which the frame means nothing.
        var proofs = self.proofs(of: header, isProving: true)
        proofs.add(frame)
        self.keep(&proofs, of: disk)
      }
    }
  }

  /// Returns a Boolean value that indicates whether the records of a frame in the file can be decoded on demand.
  private func proves(_ frame: Frame, of header: StoreFileHeader) throws -> Bool {
    let file = try fileSystem.openFile(paths.file, .reading)
    defer { _ = try? fileSystem.closeFile(file) }
    let bytes = try fileSystem.read(file, at: frame.start, count: frame.end - frame.start)
    let payload = Frame.headerSize..<bytes.count
    guard bytes.count == frame.end - frame.start,
      try Frame.readHeader(bytes, at: 0, base: frame.start, seed: header.seed) == frame,
      CRC32C.checksum(bytes, payload, after: header.seed) == frame.checksum
    else { return false }
    var content = StoreContent<Record>(seed: header.hashSeed)
    let replayed = try FrameCoding<Record>.replay(
      bytes, payload, isIndexed: frame.isIndexed, version: Int(clamping: frame.recordVersion),
      trust: .proven,
      isProving: true, noting: false, into: &content)
    try Task.checkCancellation()
    return replayed.isProven == true
  }
}
