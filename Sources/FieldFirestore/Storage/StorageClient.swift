public import FieldCore
public import FieldFoundation

/// A client of one bucket of Cloud Storage for Firebase that uses its REST interface.
///
/// ```swift
/// let storage = StorageClient(configuration, transport: URLSessionTransport())
/// try await storage.upload(jpeg, to: "walks/1/photo.jpg", contentType: "image/jpeg")
/// let photo = try await storage.download("walks/1/photo.jpg")
/// ```
///
/// The client verifies the content of each upload and download by its size and its CRC-32C checksum. If the server
/// doesn't report that checksum, only the size is verified: the package has no MD5. Cloud Storage reports it for
/// every object. The client retries transient failures itself, so don't wrap the transport in `retrying(_:)`.
public final class StorageClient: Sendable {
  /// The bucket, and the options for its use.
  public let configuration: StorageConfiguration

  private let sender: RequestSender

  /// Creates a client that uses the transport as it is, without decorators.
  ///
  /// - Parameters:
  ///   - configuration: The bucket, and the options for its use.
  ///   - transport: The transport that sends requests.
  ///   - clock: The clock that measures the delays between attempts. Defaults to the system's.
  ///   - random: Returns a number from 0 through 1 for each delay.
  public init(
    _ configuration: StorageConfiguration, transport: any Transport,
    clock: any FieldClock = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.configuration = configuration
    sender = RequestSender(
      transport: transport, clock: clock, random: random, tokens: configuration.tokens,
      policy: configuration.retry)
  }

  /// Returns the metadata of an object, or `nil` if it doesn't exist.
  public func metadata(of name: String) async throws -> StorageMetadata? {
    do {
      return try await knownMetadata(of: name)
    } catch let error as FieldError where Self.isAbsence(error) {
      return nil
    }
  }

  func knownMetadata(of name: String) async throws -> StorageMetadata {
    let answer = try await send(.get, try address(of: name), operation: "storage.metadata")
    return try StorageMetadata(
      json: FirestoreProblem.value(of: answer, operation: "storage.metadata"),
      operation: "storage.metadata")
  }

  /// Deletes an object.
  ///
  /// - Returns: `false` if the object doesn't exist.
  @discardableResult
  public func delete(_ name: String) async throws -> Bool {
    do {
      _ = try await send(.delete, try address(of: name), operation: "storage.delete")
      return true
    } catch let error as FieldError where Self.isAbsence(error) {
      return false
    }
  }

  /// Whether an object doesn't exist. The service reports that with a status or with plain text; an
  /// HTML page says nothing about the object.
  private static func isAbsence(_ error: FieldError) -> Bool {
    error.code == .firestoreNotFound || error.code == .notFound
  }

  /// Returns the URL of an object, or of the bucket's objects.
  func address(of name: String?, _ parameters: [(name: String, value: String)] = []) throws -> URL {
    if let name, name.isEmpty || name.utf8.count > 1_024 || name.contains(where: \.isNewline) {
      throw FieldError(
        .invalidInput, "The name of an object has 1 through 1,024 bytes in one line.")
    }
    // Servers and clients resolve these names as steps in the path, escaped or not.
    for name in [name, configuration.bucket].compactMap(\.self) where [".", ".."].contains(name) {
      throw FieldError(.invalidInput, "\"\(name)\" can't be the name of an object or a bucket.")
    }
    var root = configuration.endpoint.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    let object = name.map { "/\(PercentEncoding.component($0))" } ?? ""
    let text = "\(root)/v0/b/\(PercentEncoding.component(configuration.bucket))/o\(object)"
    guard let url = URL(string: text) else {
      throw FieldError(.invalidInput, "\(root) and the bucket don't form a URL.")
    }
    return try PercentEncoding.url(url, adding: parameters)
  }

  /// Sends a request, retrying transient failures, and returns a successful response.
  ///
  /// - Parameters:
  ///   - responseLimit: The largest content to receive, in bytes. Metadata and errors are small.
  ///   - repeats: Pass `false` to send the request only once. Defaults to `true`.
  func send(
    _ method: TransportRequest.Method, _ url: URL, fields: HTTPHeaderFields = [:],
    body: TransportBody? = nil, responseLimit: Int = 1 << 20, operation: String,
    repeats: Bool = true
  ) async throws -> TransportResponse {
    var request = TransportRequest(
      method, url: url, fields: configuration.fields, body: body, timeout: .seconds(600),
      responseLimit: max(responseLimit, 1 << 20), operation: operation, isIdempotent: false)
    // What is uploaded is for this server only.
    request.followsRedirects = method != .post
    for (name, value) in fields { request.fields[name] = value }
    return try await sender.send(
      request,
      authorization: { "\($0.kind == .firebase ? "Firebase" : "Bearer") \($0.value)" },
      isRetried: { repeats && Self.passes($0) }
    ) { try Self.success($0, operation) }
  }

  /// Returns a successful response, or throws the error of another one.
  private static func success(
    _ answer: TransportResponse, _ operation: String
  ) throws -> TransportResponse {
    guard !answer.isSuccess else { return answer }
    do {
      _ = try FirestoreProblem.value(of: answer, operation: operation)
      throw FieldError(.status, "HTTP \(answer.status)", operation: operation)
    } catch var error as FieldError {
      // The URL may be that of an upload session, which is a secret, and so may a field.
      error.response?.url = nil
      error.response?.fields["X-Goog-Upload-URL"] = nil
      throw error
    }
  }

  private static func passes(_ error: FieldError) -> Bool {
    switch error.code {
    case .firestoreUnavailable, .firestoreInternal, .firestoreDeadlineExceeded, .firestoreUnknown,
      .firestoreResourceExhausted, .connectionLost, .timeout, .bodyCut, .transport:
      true
    default: false
    }
  }
}

// MARK: - Downloading

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

// MARK: - Uploading

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
