internal import FieldCore
public import FieldFoundation

extension StorageClient {
  /// Returns the content of an object, verified by its checksum.
  ///
  /// A part that fails is requested again, without those before it.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - progress: A closure that is called with the number of bytes that have arrived.
  /// - Throws: `FieldError` with the code `firestore.notFound` or `http.notFound` if there is no object,
  ///   `storage.changed` if it was replaced meanwhile, or `storage.checksum`.
  public func download(
    _ name: String, progress: (Int) -> Void = { _ in }
  ) async throws -> [UInt8] {
    let metadata = try await knownMetadata(of: name)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(metadata.size)
    while bytes.count < metadata.size {
      bytes += try await part(of: metadata, from: bytes.count)
      progress(bytes.count)
    }
    try Self.verify(
      metadata, size: bytes.count, CRC32C.checksum(bytes, 0..<bytes.count),
      operation: "storage.download")
    return bytes
  }

  /// Downloads an object into a file, and replaces the file once the content is verified.
  ///
  /// What has arrived is kept beside the file, in a file whose name ends in the object's generation and
  /// `.part`. A later call goes on from there, also in another process.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - file: The file.
  ///   - progress: A closure that is called with the number of bytes that have arrived.
  /// - Throws: As ``download(_:progress:)`` does, and `store.io` if the file can't be written.
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
      // More than the object has can't be a part of it.
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
      // Damaged or outdated parts are of no use to a later call.
      if error.code == .storageChecksum || error.code == .storageChanged { Self.remove(part) }
      throw error
    }
  }

  private func part(of metadata: StorageMetadata, from start: Int) async throws -> [UInt8] {
    let operation = "storage.download"
    let end = min(metadata.size, start + max(1, configuration.chunkSize))
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
    // A server that doesn't know ranges answers with the whole object.
    if answer.status == 200, bytes.count == metadata.size { return Array(bytes[start...]) }
    guard answer.status == 206, bytes.count == end - start else {
      throw FieldError(
        .storageChanged,
        "The server answered with \(bytes.count) bytes of \(metadata.name) instead of \(end - start). "
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
    // A part that stays is only a little room that is lost.
    try? FileManager.default.removeItem(at: file)
  }
}
