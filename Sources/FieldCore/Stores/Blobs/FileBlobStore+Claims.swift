/// A file `.unclaimed/ID` marks each blob that no durable record is known to refer to.
///
/// It is created empty before the blob, and removed once the record is durable. So a blob without such a
/// file is one that a record referred to, even if that record is lost. When the record is removed, the
/// file is created with one byte: such a blob was released, and no lost record can need it.
///
/// The marks have a directory of their own, because listing thousands of blobs takes milliseconds.
extension FileBlobStore {
  /// The end of a mark's name in an earlier version, beside its blob.
  private static let suffix = ".unclaimed"

  var marks: String { path + "/.unclaimed" }

  /// Records that durable records refer to these blobs.
  ///
  /// The directory isn't synced. After a power failure, a blob may be unclaimed again, until the
  /// next sweep finds it in use.
  @concurrent
  public func claim(_ ids: Set<BlobID>) async throws {
    try checkWritable()
    try FileSystemError.explained("The blobs can't be claimed.") {
      let areMoved = try fileSystem.status(at: marks) != nil
      for id in ids {
        try fileSystem.removeIfThere(areMoved ? mark(of: id) : file(of: id) + Self.suffix)
      }
    }
  }

  /// Releases claims, and removes unclaimed blobs older than the grace period that aren't in use or
  /// leased in this process.
  @concurrent
  public func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    try checkWritable()
    try await leases.removing { start in
      guard try !ids.isEmpty || needsSweep() else { return }
      let used = try await blobsInUse()
      try await exclusively("The unclaimed blobs can't be removed.") {
        try self.fileSystem.status(at: self.path) != nil
      } then: {
        var isNew = false
        for id in ids where used?.contains(id) != true {
          isNew = try !self.isReleased(id) || isNew
          try self.release(id)
        }
        // Otherwise, a power failure might leave the blob claimed without its record.
        if isNew { try self.fileSystem.syncDirectory(self.marks) }
        if let used { try self.sweepMarked(keeping: used, since: start) }
        try self.removeLeftover()
      }
    }
  }

  /// Whether there may be anything to sweep. Finding out which blobs are in use takes longer.
  private func needsSweep() throws -> Bool {
    try FileSystemError.explained("The blobs can't be listed.") {
      if try !markedNames().isEmpty { return true }
      return try fileSystem.status(at: temporary) != nil
    }
  }

  private func sweepMarked(keeping used: Set<BlobID>, since start: Int) throws(FileSystemError) {
    var marked = try markedNames()
    let blobs = try blobNames()
    marked.formUnion(try movingMarks(among: blobs))
    // If a claimed blob isn't in use, records are lost. After a power failure, a mark may reappear, so
    // an unclaimed blob may belong to one of them.
    let isComplete = Self.ids(among: blobs.subtracting(marked)).isSubset(of: used)
    var hasClaimed = false
    var removed: Set<BlobID> = []
    for id in Self.ids(among: marked) {
      if used.contains(id) {
        try fileSystem.removeIfThere(mark(of: id))
        hasClaimed = true
      } else if blobs.contains(id.hexadecimal) {
        let isNeeded = isComplete ? false : try !isReleased(id)
        if !isNeeded, try sweep(id, since: start, grace: grace) { removed.insert(id) }
      } else {
        removed.insert(id)
      }
    }
    if hasClaimed { try fileSystem.syncDirectory(marks) }
    removeMarks(ofRemoved: removed)
  }

  /// Removes the marks of blobs that were removed, once a power failure can't bring back the blobs
  /// without them. The next sweep removes a mark that stays.
  func removeMarks(ofRemoved removed: Set<BlobID>) {
    guard !removed.isEmpty else { return }
    do throws(FileSystemError) {
      try fileSystem.syncDirectory(path)
      for id in removed {
        // A blob that is being stored again needs its mark.
        _ = try leases.unlessLeased(id) { () throws(FileSystemError) in
          try fileSystem.removeIfThere(mark(of: id))
        }
      }
    } catch {}
  }

  /// Returns the blobs that records have referred to.
  func claimedBlobs() throws -> Set<BlobID> {
    try FileSystemError.explained("The blobs can't be listed.") {
      let blobs = try blobNames()
      let marked = oldMarks(among: blobs).union(try markedNames())
      return Self.ids(among: blobs.subtracting(marked))
    }
  }

  private func blobNames() throws(FileSystemError) -> Set<String> {
    try fileSystem.status(at: path) != nil ? Set(try fileSystem.names(in: path)) : []
  }

  private func markedNames() throws(FileSystemError) -> Set<String> {
    try fileSystem.status(at: marks) != nil
      ? Set(try fileSystem.names(in: marks)) : oldMarks(among: try blobNames())
  }

  /// Returns the names of the blobs that an earlier version marked.
  private func oldMarks(among names: Set<String>) -> Set<String> {
    Set(
      names.lazy.filter { $0.hasSuffix(Self.suffix) && $0 != Self.suffix }
        .map { String($0.dropLast(Self.suffix.count)) })
  }

  private static func ids(among names: Set<String>) -> Set<BlobID> {
    Set(names.lazy.compactMap(BlobID.init(hexadecimal:)))
  }

  /// Makes the directory of the marks, and moves those of an earlier version there.
  ///
  /// If that is cut off, the next sweep of marked blobs moves the others.
  func makeMarks() throws(FileSystemError) {
    guard try fileSystem.status(at: marks) == nil else { return }
    let names = try blobNames()
    try fileSystem.makeDirectories(marks)
    try movingMarks(among: names)
  }

  /// Moves the marks of an earlier version, and returns the names of their blobs.
  @discardableResult
  private func movingMarks(among names: Set<String>) throws(FileSystemError) -> Set<String> {
    let old = oldMarks(among: names)
    for name in old {
      do throws(FileSystemError) {
        try fileSystem.rename("\(path)/\(name)\(Self.suffix)", to: "\(marks)/\(name)")
      } catch  where error.isNotFound {
        // Another process has just claimed the blob. If it is in use, the sweep removes its mark again.
      }
    }
    if !old.isEmpty { try fileSystem.syncDirectory(marks) }
    return old
  }

  private func isReleased(_ id: BlobID) throws(FileSystemError) -> Bool {
    try fileSystem.status(at: mark(of: id)).map { $0.size > 0 } ?? false
  }

  /// Marks a blob as released if it exists.
  func release(_ id: BlobID) throws(FileSystemError) {
    if try fileSystem.status(at: file(of: id)) != nil { try mark(id, isReleased: true) }
  }

  /// Marks a blob that is about to be stored as unclaimed.
  ///
  /// Without the sync, a power failure might leave the blob without its mark, like one whose record is lost.
  func markNew(_ id: BlobID) throws(FileSystemError) {
    try mark(id, isReleased: false)
    try fileSystem.syncDirectory(marks)
  }

  func mark(_ id: BlobID, isReleased: Bool) throws(FileSystemError) {
    let file = try fileSystem.openFile(mark(of: id), .making)
    do throws(FileSystemError) {
      if isReleased { try fileSystem.write([1], to: file, at: 0) }
    } catch {
      _ = try? fileSystem.closeFile(file)
      throw error
    }
    try fileSystem.closeFile(file)
  }

  /// Returns the file that marks a blob as unclaimed.
  func mark(of id: BlobID) -> String { "\(marks)/\(id.hexadecimal)" }
}
