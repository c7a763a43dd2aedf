internal import FieldCore
public import FieldFoundation

extension StorageClient {
  /// Returns the content of an object, verified by its checksum.
  ///
  /// If a part fails, only that part is requested again. The whole content is in memory, so objects
  /// larger than ``StorageConfiguration/maximumDownloadSize`` are refused before any of it is
  /// requested; download them to a file.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - progress: A closure to call with the number of bytes received so far.
  /// - Throws: `FieldError` with the code `firestore.notFound` or `http.notFound` if there is no
  ///   object, `http.responseTooLarge` if it is too large, `storage.changed` if it was replaced in
  ///   the meantime, or `storage.checksum` if the content doesn't match its checksum.
  public func download(_ name: String, progress: (Int) -> Void = { _ in }) async throws -> [UInt8] {
    let metadata = try await knownMetadata(of: name)
    guard metadata.size <= configuration.maximumDownloadSize else {
      throw FieldError(
        .responseTooLarge,
        "\(name) has \(metadata.size) bytes, and the limit is \(configuration.maximumDownloadSize). "
          + "Download it to a file, or increase `maximumDownloadSize`.", operation: Self.operation)
    }
    var bytes: [UInt8] = []
    while bytes.count < metadata.size {
      bytes += try await part(of: metadata, from: bytes.count)
      progress(bytes.count)
    }
    try Self.verify(
      metadata, size: bytes.count, CRC32C.checksum(bytes, 0..<bytes.count),
      operation: Self.operation)
    return bytes
  }

  /// Downloads an object of any size to a file, replacing the file after the content is verified.
  ///
  /// Only one part of the content at a time is in memory. The bytes received so far are kept next to
  /// the file, in a file whose name ends in the object's generation and `.part`. A later call resumes
  /// from there, even in another process.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - file: The destination.
  ///   - progress: A closure to call with the number of bytes received so far.
  /// - Throws: The errors of ``download(_:progress:)``, and `store.io` if the file can't be
  ///   written. The size of the object isn't limited.
  @discardableResult
  public func download(
    _ name: String, to file: URL, progress: (Int) -> Void = { _ in }
  ) async throws -> StorageMetadata {
    let metadata = try await knownMetadata(of: name)
    let partial = file.appendingPathExtension("\(metadata.generation ?? "0").part")
    let part = try Self.writing(partial) { files throws(FileSystemError) in
      try files.openFile(partial.path, .making)
    }
    do {
      // Whatever is thrown, the descriptor is closed.
      defer { try? PosixFileSystem().closeFile(part) }
      var (size, checksum) = try received(of: metadata, in: part, partial)
      progress(size)
      while size < metadata.size {
        let bytes = try await self.part(of: metadata, from: size)
        try Self.writing(partial) { [size] files throws(FileSystemError) in
          try files.write(bytes, to: part, at: size)
        }
        checksum = CRC32C.checksum(bytes, 0..<bytes.count, after: checksum)
        size += bytes.count
        progress(size)
      }
      try Self.verify(metadata, size: size, checksum, operation: Self.operation)
    } catch let error as FieldError {
      // A later call can't use damaged or outdated parts.
      if error.code == .storageChecksum || error.code == .storageChanged { Self.remove(partial) }
      throw error
    }
    try Self.writing(file) { files throws(FileSystemError) in
      try files.rename(partial.path, to: file.path)
    }
    return metadata
  }

  private static var operation: String { "storage.download" }

  /// Returns the size and the checksum of what an earlier call has received.
  private func received(
    of metadata: StorageMetadata, in part: OpenFile, _ file: URL
  ) throws -> (size: Int, checksum: UInt32) {
    try Self.writing(file) { [configuration] files throws(FileSystemError) in
      let size = try files.status(of: part).size
      // A part can't be larger than the object.
      guard size <= metadata.size else {
        try files.truncate(part, to: 0)
        return (0, 0)
      }
      var (done, checksum): (Int, UInt32) = (0, 0)
      while done < size {
        let bytes = try files.read(
          part, at: done, count: min(size - done, max(1, configuration.chunkSize)))
        if bytes.isEmpty { break }
        checksum = CRC32C.checksum(bytes, 0..<bytes.count, after: checksum)
        done += bytes.count
      }
      return (done, checksum)
    }
  }

  private func part(of metadata: StorageMetadata, from start: Int) async throws -> [UInt8] {
    let operation = Self.operation
    let end = start + min(metadata.size - start, max(1, configuration.chunkSize))
    let answer = try await send(
      .get, try address(of: metadata.name, [("alt", "media")]),
      fields: ["Range": "bytes=\(start)-\(end - 1)"],
      // A server that doesn't support ranges returns the whole object.
      responseLimit: min(metadata.size, max(end - start, configuration.maximumDownloadSize)),
      operation: operation)
    if let generation = answer.fields["X-Goog-Generation"], let known = metadata.generation,
      generation != known
    {
      throw FieldError(
        .storageChanged, "\(metadata.name) was replaced while it was read. Download it again.",
        operation: operation, response: answer.head)
    }
    let bytes = try answer.body.bytes()
    if answer.status == 200, bytes.count == metadata.size { return Array(bytes[start...]) }
    guard answer.status == 206, bytes.count == end - start else {
      throw FieldError(
        .storageChanged,
        "The server returned \(bytes.count) bytes of \(metadata.name) instead of \(end - start). "
          + "Download it again.", operation: operation, response: answer.head)
    }
    return bytes
  }

  private static func writing<Value>(
    _ file: URL, _ body: (PosixFileSystem) throws(FileSystemError) -> Value
  ) throws(FieldError) -> Value {
    do throws(FileSystemError) {
      return try body(PosixFileSystem())
    } catch {
      throw FieldError(
        .io, "\(file.path) can't be written.", operation: operation, underlying: error)
    }
  }

  private static func remove(_ file: URL) {
    // A leftover part only takes some space.
    try? FileManager.default.removeItem(at: file)
  }
}
