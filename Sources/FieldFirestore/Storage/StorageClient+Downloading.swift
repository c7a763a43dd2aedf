internal import FieldCore
public import FieldFoundation

extension StorageClient {
  /// Returns the content of an object, verified by its checksum.
  ///
  /// If a part fails, only that part is requested again.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - progress: A closure to call with the number of bytes received so far.
  /// - Throws: `FieldError` with the code `firestore.notFound` or `http.notFound` if there is no
  ///   object, `storage.changed` if it was replaced in the meantime, or `storage.checksum` if the
  ///   content doesn't match its checksum.
  public func download(_ name: String, progress: (Int) -> Void = { _ in }) async throws -> [UInt8] {
    let metadata = try await knownMetadata(of: name)
    var bytes: [UInt8] = []
    while bytes.count < metadata.size {
      bytes += try await part(of: metadata, from: bytes.count)
      progress(bytes.count)
    }
    try Self.verify(
      metadata, size: bytes.count, CRC32C.checksum(bytes, 0..<bytes.count),
      operation: "storage.download")
    return bytes
  }

  /// Downloads an object to a file, replacing the file after the content is verified.
  ///
  /// The bytes received so far are kept next to the file, in a file whose name ends in the object's
  /// generation and `.part`. A later call resumes from there, even in another process.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - file: The destination.
  ///   - progress: A closure to call with the number of bytes received so far.
  /// - Throws: The errors of ``download(_:progress:)``, and `store.io` if the file can't be
  ///   written.
  @discardableResult
  public func download(
    _ name: String, to file: URL, progress: (Int) -> Void = { _ in }
  ) async throws -> StorageMetadata {
    let metadata = try await knownMetadata(of: name)
    let part = file.appendingPathExtension("\(metadata.generation ?? "0").part")
    do {
      var bytes =
        FileManager.default.fileExists(atPath: part.path)
        ? try TransportBody.file(part).bytes() : []
      // A part can't be larger than the object.
      if bytes.count > metadata.size { bytes = [] }
      progress(bytes.count)
      while bytes.count < metadata.size {
        bytes += try await self.part(of: metadata, from: bytes.count)
        try Self.write(bytes, to: part)
        progress(bytes.count)
      }
      try Self.verify(
        metadata, size: bytes.count, CRC32C.checksum(bytes, 0..<bytes.count),
        operation: "storage.download")
      try Self.write(bytes, to: file)
      Self.remove(part)
      return metadata
    } catch let error as FieldError {
      // A later call can't use damaged or outdated parts.
      if error.code == .storageChecksum || error.code == .storageChanged { Self.remove(part) }
      throw error
    }
  }

  private func part(of metadata: StorageMetadata, from start: Int) async throws -> [UInt8] {
    let operation = "storage.download"
    let end = start + min(metadata.size - start, max(1, configuration.chunkSize))
    let answer = try await send(
      .get, try address(of: metadata.name, [("alt", "media")]),
      fields: ["Range": "bytes=\(start)-\(end - 1)"], operation: operation)
    if let generation = answer.fields["X-Goog-Generation"], let known = metadata.generation,
      generation != known
    {
      throw FieldError(
        .storageChanged, "\(metadata.name) was replaced while it was read. Download it again.",
        operation: operation, response: answer.head)
    }
    let bytes = try answer.body.bytes()
    // A server that doesn't support ranges returns the whole object.
    if answer.status == 200, bytes.count == metadata.size { return Array(bytes[start...]) }
    guard answer.status == 206, bytes.count == end - start else {
      throw FieldError(
        .storageChanged,
        "The server returned \(bytes.count) bytes of \(metadata.name) instead of \(end - start). "
          + "Download it again.", operation: operation, response: answer.head)
    }
    return bytes
  }

  private static func write(_ bytes: [UInt8], to file: URL) throws {
    do {
      try Data(bytes).write(to: file, options: .atomic)
    } catch {
      throw FieldError(.io, "\(file.path) can't be written.", underlying: error)
    }
  }

  private static func remove(_ file: URL) {
    // A leftover part only takes some space.
    try? FileManager.default.removeItem(at: file)
  }
}
