internal import FieldCore
internal import FieldFoundation

extension StorageClient {
  /// Uploads bytes as an object in one request, replacing an existing object.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The name of the object.
  ///   - contentType: The type of the content. Defaults to `application/octet-stream`.
  ///   - custom: The app's metadata.
  /// - Throws: `FieldError` with the code `storage.checksum` if the server stored different
  ///   content.
  @discardableResult
  public func upload(
    _ bytes: [UInt8], to name: String, contentType: String = "application/octet-stream",
    custom: [String: String] = [:]
  ) async throws -> StorageMetadata {
    let operation = "storage.upload"
    // The boundary mustn't occur in the content; it is derived from it so that it is reproducible.
    var salt = CRC32C.checksum(bytes, 0..<bytes.count)
    var boundary = ""
    repeat {
      boundary = "fieldkit-\(String(salt, radix: 16))-\(bytes.count)"
      salt &+= 0x9E37_79B9
    } while Self.contains(bytes, Array(boundary.utf8))
    let head =
      "--\(boundary)\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
      + Self.description(name, contentType, custom).canonicalText
      + "\r\n--\(boundary)\r\nContent-Type: \(contentType)\r\n\r\n"
    let answer = try await send(
      .post, try address(of: nil, [("name", name)]),
      fields: [
        "X-Goog-Upload-Protocol": "multipart",
        "Content-Type": "multipart/related; boundary=\(boundary)",
      ], body: .bytes(Array(head.utf8) + bytes + Array("\r\n--\(boundary)--".utf8)),
      operation: operation)
    return try verified(
      answer, size: bytes.count, CRC32C.checksum(bytes, 0..<bytes.count), operation: operation)
  }

  /// Begins a resumable upload.
  ///
  /// - Parameters:
  ///   - source: The content.
  ///   - name: The name of the object.
  ///   - contentType: The type of the content. Defaults to `application/octet-stream`.
  ///   - custom: The app's metadata.
  /// - Returns: The upload. Store it, then pass it to ``resume(_:from:progress:)``.
  /// - Throws: `FieldError` with the code `storage.foreignSession` if the server names a session that isn't
  ///   at ``StorageConfiguration/endpoint``.
  public func beginUpload(
    of source: TransportBody, to name: String, contentType: String = "application/octet-stream",
    custom: [String: String] = [:]
  ) async throws -> StorageUpload {
    let operation = "storage.beginUpload"
    let bytes = try source.bytes()
    let answer = try await send(
      .post, try address(of: nil, [("name", name)]),
      fields: [
        "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start",
        "X-Goog-Upload-Header-Content-Length": String(bytes.count),
        "X-Goog-Upload-Header-Content-Type": contentType,
        "Content-Type": "application/json; charset=utf-8",
      ], body: .text(Self.description(name, contentType, custom).canonicalText),
      operation: operation)
    guard let text = answer.fields["X-Goog-Upload-URL"], let session = URL(string: text) else {
      throw FieldError(
        .schema, "The response has no URL of an upload session. Check the URL.",
        operation: operation)
    }
    try check(session, operation)
    let granularity = answer.fields["X-Goog-Upload-Chunk-Granularity"].flatMap { Int($0) }
    return StorageUpload(
      name: name, size: bytes.count, crc32c: CRC32C.checksum(bytes, 0..<bytes.count),
      granularity: max(1, granularity ?? 256 << 10), session: session)
  }

  /// Resumes an upload and finishes it.
  ///
  /// You can call this method again after any failure, even in another process.
  ///
  /// - Parameters:
  ///   - upload: The upload.
  ///   - source: The content with which the upload was begun.
  ///   - progress: A closure to call with the number of bytes that the server has received.
  /// - Throws: `FieldError` with the code `storage.sessionEnded` if the server has ended the
  ///   upload (begin another), `input.invalid` if the content isn't the one with which the upload
  ///   was begun, `storage.foreignSession` if it was begun at another endpoint, or `storage.checksum`
  ///   if the server stored different content.
  @discardableResult
  public func resume(
    _ upload: StorageUpload, from source: TransportBody, progress: (Int) -> Void = { _ in }
  ) async throws -> StorageMetadata {
    let bytes = try source.bytes()
    guard bytes.count == upload.size, CRC32C.checksum(bytes, 0..<bytes.count) == upload.crc32c
    else {
      throw FieldError(
        .invalidInput, "The content isn't the one that the upload of \(upload.name) was begun with."
      )
    }
    var failures = 0
    var furthest = -1
    while true {
      let state = try await command("query", upload)
      if state.isFinal { return try await stored(upload, state.answer) }
      var offset = state.received
      // What the server has taken counts, and not what it has said to take.
      if offset > furthest { (furthest, failures) = (offset, 0) }
      do {
        while true {
          progress(offset)
          let end = offset + min(upload.size - offset, chunkSize(of: upload))
          let isLast = end == upload.size
          let next = try await command(
            isLast ? "upload, finalize" : "upload", upload, offset: offset,
            Array(bytes[offset..<end]))
          if isLast || next.isFinal {
            progress(upload.size)
            return try await stored(upload, next.answer)
          }
          offset = end
        }
      } catch let error as FieldError {
        // The server knows whether it received a part whose response was lost.
        failures += 1
        guard error.firestoreOutcome == .unknown, error.code != .storageChecksum,
          failures < configuration.retry.attempts
        else { throw error }
      }
    }
  }

  /// Cancels an upload; the server deletes what it has received.
  public func cancel(_ upload: StorageUpload) async throws {
    _ = try await command("cancel", upload)
  }

  /// Throws for a session at another server, which would receive the content and the token.
  private func check(_ session: URL, _ operation: String) throws {
    guard session.hasSameOrigin(as: configuration.endpoint) else {
      throw FieldError(
        .storageForeignSession,
        "The upload session isn't at \(configuration.endpoint), so nothing was sent. Check the endpoint.",
        operation: operation)
    }
  }

  private func chunkSize(of upload: StorageUpload) -> Int {
    let granularity = max(1, upload.granularity)
    return max(1, configuration.chunkSize / granularity) * granularity
  }

  private struct UploadState {
    var answer: TransportResponse
    var received: Int
    var isFinal: Bool
  }

  private func command(
    _ name: String, _ upload: StorageUpload, offset: Int? = nil, _ bytes: [UInt8] = []
  ) async throws -> UploadState {
    let operation = "storage.resumeUpload"
    try check(upload.session, operation)
    var fields: HTTPHeaderFields = ["X-Goog-Upload-Command": name]
    if let offset { fields["X-Goog-Upload-Offset"] = String(offset) }
    let answer: TransportResponse
    do {
      answer = try await send(
        .post, upload.session, fields: fields, body: .bytes(bytes), operation: operation,
        repeats: offset == nil)
    } catch var error as FieldError {
      switch error.response?.status {
      case 400?, 404?, 410?:
        error.code = .storageSessionEnded
        error.message = "The server has ended the upload of \(upload.name). Begin another."
      default: break
      }
      throw error
    }
    let status = answer.fields["X-Goog-Upload-Status"]?.lowercased()
    if name == "cancel" { return UploadState(answer: answer, received: 0, isFinal: true) }
    if status == "cancelled" {
      throw FieldError(
        .storageSessionEnded, "The upload of \(upload.name) was canceled. Begin another.",
        operation: operation)
    }
    let received = answer.fields["X-Goog-Upload-Size-Received"].flatMap { Int($0) }
    guard status == "active" || status == "final", (0...upload.size).contains(received ?? 0) else {
      throw FieldError(
        .schema, "The answer isn't one of an upload session. Check the address.",
        operation: operation)
    }
    return UploadState(answer: answer, received: received ?? 0, isFinal: status == "final")
  }

  /// Returns the metadata of a finished upload, which the response to a query may lack.
  private func stored(
    _ upload: StorageUpload, _ answer: TransportResponse
  ) async throws -> StorageMetadata {
    let operation = "storage.resumeUpload"
    if try !answer.body.bytes().isEmpty {
      return try verified(answer, size: upload.size, upload.crc32c, operation: operation)
    }
    let metadata = try await knownMetadata(of: upload.name)
    try Self.verify(metadata, size: upload.size, upload.crc32c, operation: operation)
    return metadata
  }

  private func verified(
    _ answer: TransportResponse, size: Int, _ checksum: UInt32, operation: String
  ) throws -> StorageMetadata {
    let metadata = try StorageMetadata(
      json: FirestoreProblem.value(of: answer, operation: operation), operation: operation)
    try Self.verify(metadata, size: size, checksum, operation: operation)
    return metadata
  }

  static func verify(
    _ metadata: StorageMetadata, size: Int, _ checksum: UInt32, operation: String
  ) throws {
    guard metadata.size == size, metadata.crc32c ?? checksum == checksum else {
      throw FieldError(
        .storageChecksum,
        "\(metadata.name) has \(metadata.size) bytes on the server instead of the \(size) bytes "
          + "of this content, or another checksum. Transfer it again.", operation: operation)
    }
  }

  private static func description(
    _ name: String, _ contentType: String, _ custom: [String: String]
  ) -> JSONValue {
    let metadata = custom.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }
    return [
      "name": .string(name), "contentType": .string(contentType),
      "metadata": metadata.isEmpty ? nil : .object(metadata),
    ]
  }

  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var start = 0
    while let place = bytes[start...].firstIndex(of: first) {
      if bytes[place...].starts(with: part) { return true }
      start = place + 1
    }
    return false
  }
}
