/// An empty file `ID.unclaimed` marks each blob to which no durable record is known to refer.
///
/// The mark is created before the blob, and removed after the record is durable. A blob without a
/// mark is therefore one that a record has referred to, even if that record is lost.
extension FileBlobStore {
  private static let suffix = ".unclaimed"

  /// Records that durable records refer to these blobs.
  ///
  /// The directory isn't synced. After a power failure, a blob may be unclaimed again, until the
  /// next sweep finds it in use.
  @concurrent
  public func claim(_ ids: Set<BlobID>) async throws {
    try checkWritable()
    do throws(FileSystemError) {
      for id in ids { try fileSystem.removeIfThere(mark(of: id)) }
    } catch {
      throw error.fieldError("the blobs cannot be claimed")
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
      let used = try await blobsInUse()
      try await exclusively("the unclaimed blobs cannot be removed") {
        try self.fileSystem.status(at: self.path) != nil
      } then: {
        for id in ids where used?.contains(id) != true { try self.markIfThere(id) }
        if let used { try self.sweepMarked(keeping: used, since: start) }
      }
    }
  }

  private func sweepMarked(keeping used: Set<BlobID>, since start: Int) throws(FileSystemError) {
    var hasClaimed = false
    for name in try fileSystem.names(in: path) {
      guard name.hasSuffix(Self.suffix),
        let id = BlobID(hexadecimal: String(name.dropLast(Self.suffix.count)))
      else { continue }
      if used.contains(id) {
        hasClaimed = true
      } else if try fileSystem.status(at: file(of: id)) != nil {
        _ = try sweep(id, since: start, grace: grace)
        continue
      }
      try fileSystem.removeIfThere(mark(of: id))
    }
    if hasClaimed { try fileSystem.syncDirectory(path) }
  }

  /// Returns the blobs that records have referred to.
  func claimedBlobs() throws -> Set<BlobID> {
    do throws(FileSystemError) {
      guard try fileSystem.status(at: path) != nil else { return [] }
      let names = Set(try fileSystem.names(in: path))
      return Set(
        names.lazy.filter { !names.contains($0 + Self.suffix) }.compactMap(
          BlobID.init(hexadecimal:)))
    } catch {
      throw error.fieldError("the blobs cannot be listed")
    }
  }

  /// Marks a blob as unclaimed if it exists.
  func markIfThere(_ id: BlobID) throws(FileSystemError) {
    if try fileSystem.status(at: file(of: id)) != nil { try mark(id) }
  }

  /// Marks a blob as unclaimed.
  func mark(_ id: BlobID) throws(FileSystemError) {
    try fileSystem.closeFile(try fileSystem.openFile(mark(of: id), .making))
  }

  /// Returns the file that marks a blob as unclaimed.
  func mark(of id: BlobID) -> String { file(of: id) + Self.suffix }
}
