internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation
internal import WalkKit

/// The bytes of photos and routes: on the device, and fetched from the server where they aren't.
///
/// They are named by their hashes, so a transfer can be repeated at any time, and what arrives is checked.
struct CloudBlobs: ForwardingBlobStore {
  let local: any BlobStore
  let configuration: WalkFirestoreConfiguration
  let firestore: FirestoreClient
  let photos: StorageClient?
  /// The store of the diary, which keeps the uploads that have begun.
  let sessions: any RecordStore<WalkRecord>

  func target() -> any BlobStore { local }

  func bytes(of id: BlobID) async throws -> [UInt8]? {
    if let bytes = try await local.bytes(of: id) { return bytes }
    if let route = try await firestore.get(configuration.route(id)) {
      return try await keep(try await routeBytes(id, from: route), as: id)
    }
    let name = configuration.photo(id)
    guard let photos, try await photos.metadata(of: name) != nil else { return nil }
    return try await keep(try await photos.download(name), as: id)
  }

  /// Fetches the routes that aren't on the device. One that can't be read stands in no other's way.
  ///
  /// - Throws: The first error, after trying all of them.
  func fetchRoutes(_ ids: [BlobID]) async throws {
    var missing: [BlobID] = []
    for id in ids where try await !local.contains(id) { missing.append(id) }
    var failure: FieldError?
    // A route has up to a megabyte, and a response should stay small enough for a phone.
    for start in stride(from: 0, to: missing.count, by: 10) {
      let part = missing[start..<min(start + 10, missing.count)]
      let batch = try await firestore.get(part.map { configuration.route($0) })
      for id in part {
        guard let route = batch[configuration.route(id)] else { continue }
        do {
          _ = try await keep(try await routeBytes(id, from: route), as: id)
        } catch let error as FieldError {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
  }

  private func keep(_ bytes: [UInt8]?, as id: BlobID) async throws -> [UInt8] {
    guard let bytes, BlobID(of: bytes) == id else {
      throw FieldError(
        .storageChecksum, "The bytes \(id) on the server aren't those that were stored.")
    }
    let lease = try await local.put(bytes)
    try await local.claim([id])
    lease.end()
    return bytes
  }
}

// MARK: - Routes

// A document has room for 1 MiB, and a request for 10. The documents of a route are written and deleted
// in the commits of the walks that refer to it, so a walk is never without them on the server.

extension CloudBlobs {
  /// The most documents of a route.
  static let maximumPartCount = 8

  private static let (bytesField, countField): (String, String) = ("bytes", "parts")

  /// Returns the writes of a route's documents for an edit; none if the bytes aren't on the device.
  func routeWrites(_ id: BlobID, for edit: UUID) async throws -> [FirestoreWrite] {
    guard let bytes = try await local.bytes(of: id) else { return [] }
    let size = configuration.routePartSize
    let count = max(1, (bytes.count + size - 1) / size)
    guard count <= Self.maximumPartCount else {
      throw FieldError(
        .invalidInput,
        "The route has \(bytes.count) bytes, but a commit has room for "
          + "\(size * Self.maximumPartCount). Simplify the route.")
    }
    return (0..<count).map { part in
      let start = part * size
      var fields: FirestoreFields = [
        Self.bytesField: .bytes(Array(bytes[start..<min(start + size, bytes.count)]))
      ]
      if part == 0 {
        if count > 1 { fields[Self.countField] = .integer(Int64(count)) }
        // Writing the same bytes again has to be a change, which stops another device from deleting them.
        fields["edit"] = .string(edit.uuidString)
      }
      return FirestoreWrite(configuration.route(id, part: part), .update(fields, mask: nil))
    }
  }

  /// Returns the writes that delete a route's documents; none if another walk refers to them.
  ///
  /// The commit fails if a device writes the route in the meantime.
  func routeDeletions(_ id: BlobID, of walk: FirestorePath) async throws -> [FirestoreWrite] {
    // In this order: what is written after the first request fails the precondition.
    guard
      let head = try await firestore.get(
        configuration.route(id), mask: [FirestoreFieldPath(segments: [Self.countField])]),
      let time = head.updateTime
    else { return [] }
    var query = FirestoreQuery(configuration.diary).where("route", .equal, .string(id.hexadecimal))
    query.limit = 2
    let users = try await firestore.run(query)
    guard users.failures.isEmpty, users.documents.allSatisfy({ $0.path == walk }) else { return [] }
    // A wrong number mustn't keep the walk from being removed.
    let count = (try? Self.partCount(of: head, id)) ?? Self.maximumPartCount
    return (0..<count).map { part in
      .delete(
        configuration.route(id, part: part), precondition: part == 0 ? .updateTime(time) : nil)
    }
  }

  /// Returns the bytes of a route, whose first document was received.
  ///
  /// - Throws: `FieldError` with the code `firestore.notFound` if another document isn't there.
  func routeBytes(_ id: BlobID, from head: FirestoreDocument) async throws -> [UInt8]? {
    let count = try Self.partCount(of: head, id)
    guard count > 1, var bytes = head.fields[Self.bytesField]?.bytes else {
      return head.fields[Self.bytesField]?.bytes
    }
    let paths = (1..<count).map { configuration.route(id, part: $0) }
    let rest = try await firestore.get(paths)
    for (number, path) in paths.enumerated() {
      guard let part = rest[path]?.fields[Self.bytesField]?.bytes else {
        throw FieldError(
          .firestoreNotFound,
          "Part \(number + 2) of \(count) of the route \(id) isn't on the server. It is requested again when the "
            + "route is read.")
      }
      bytes += part
    }
    return bytes
  }

  private static func partCount(of head: FirestoreDocument, _ id: BlobID) throws -> Int {
    let count = head.fields[countField]?.number ?? 1
    guard (1...Double(maximumPartCount)).contains(count), let count = Int(exactly: count) else {
      throw FieldError(.schema, "The document of the route \(id) states \(count) parts.")
    }
    return count
  }
}

// MARK: - Uploading

extension CloudBlobs {
  /// Uploads a photo unless it is there.
  ///
  /// A larger one goes in parts. Its session is kept until it is complete, so that after a restart only the parts
  /// that the server doesn't have are sent.
  ///
  /// - Returns: `false` if the photo is neither on the device nor on the server.
  @discardableResult
  func upload(_ id: BlobID) async throws -> Bool {
    let name = configuration.photo(id)
    guard let photos else { return true }
    guard let bytes = try await local.bytes(of: id) else {
      return try await photos.metadata(of: name) != nil
    }
    let checksum = CRC32C.checksum(bytes, 0..<bytes.count)
    let known = try await photos.metadata(of: name)
    if known?.size != bytes.count || known?.crc32c ?? checksum != checksum {
      let contentType =
        bytes.starts(with: [0xFF, 0xD8]) ? "image/jpeg" : "application/octet-stream"
      if bytes.count > photos.configuration.chunkSize {
        try await uploadInParts(bytes, id, to: name, contentType, photos)
      } else {
        try await photos.upload(bytes, to: name, contentType: contentType)
      }
    }
    try await keep(nil, of: id)
    return true
  }

  /// Returns which photos of an edit that was sent are neither on the device nor on the server.
  func missingPhotos(of change: DocumentState) async throws -> [BlobID] {
    guard let photos else { return [] }
    var missing: [BlobID] = []
    for photo in change.photos where try await !local.contains(photo) {
      if try await photos.metadata(of: configuration.photo(photo)) == nil { missing.append(photo) }
    }
    return missing
  }

  /// Uploads the photos that wait because they weren't on the device when their edits were sent.
  ///
  /// - Returns: The number of photos that go on waiting.
  func uploadWaiting() async throws -> Int {
    let snapshot = try await sessions.snapshot()
    let waiting = snapshot.waitingPhotos
    guard !waiting.isEmpty else { return 0 }
    var used: Set<BlobID> = []
    for record in snapshot { record.forEachBlob { used.insert($0) } }
    var done: [WalkRecord.ID] = []
    for (record, photo) in waiting {
      // No walk and no pet has it any more, or the server has it now.
      let isDone = if used.contains(photo) { try await upload(photo) } else { true }
      if isDone { done.append(record) }
    }
    if !done.isEmpty {
      try await sessions.updating { [done] _, changes, _ in
        for record in done { changes.remove(record) }
      }
    }
    return waiting.count - done.count
  }

  private func uploadInParts(
    _ bytes: [UInt8], _ id: BlobID, to name: String, _ contentType: String, _ photos: StorageClient
  ) async throws {
    if let begun = try await session(of: id) {
      do {
        try await photos.resume(begun, from: .bytes(bytes))
        return
      } catch let error as FieldError
        where [
          .storageSessionEnded, .storageForeignSession, .storageChecksum, .invalidInput, .schema,
        ]
        .contains(error.code)
      {
        // Another session may do better.
      }
    }
    let upload = try await photos.beginUpload(of: .bytes(bytes), to: name, contentType: contentType)
    try await keep(upload, of: id)
    try await photos.resume(upload, from: .bytes(bytes))
  }

  fileprivate static let keyPrefix = "upload/"
  fileprivate static let waitingPrefix = "photo/"

  /// Returns the record of a photo that waits to be on the device.
  static func waiting(_ id: BlobID) -> WalkRecord {
    .attachment(waitingPrefix + id.hexadecimal, "")
  }

  fileprivate static func key(_ id: BlobID) -> String { keyPrefix + id.hexadecimal }

  private func session(of id: BlobID) async throws -> StorageUpload? {
    guard let text = try await sessions.snapshot().attachment(Self.key(id)) else { return nil }
    // One that can't be read was begun by a later version.
    return try? StoredJSON.decode(StorageUpload.self, from: Array(text.utf8)[...])
  }

  /// Keeps the session of an upload, or forgets it.
  private func keep(_ upload: StorageUpload?, of id: BlobID) async throws {
    let key = Self.key(id)
    let text = try upload.map { String(decoding: try StoredJSON.encode($0), as: UTF8.self) }
    guard try await sessions.snapshot().attachment(key) != text else { return }
    try await sessions.updating { _, changes, _ in
      if let text {
        changes.upsert(.attachment(key, text))
      } else {
        changes.remove(WalkRecord.id(ofAttachment: key))
      }
    }
  }
}

extension DocumentState {
  /// The photos whose bytes have to be on the server before the document.
  var photos: [BlobID] {
    values.compactMap { name, value in
      guard name == "photo" || name.hasPrefix("photos/") else { return nil }
      return value.value.map?["blob"]?.string.flatMap(BlobID.init(hexadecimal:))
    }
  }
}

extension Snapshot<WalkRecord> {
  /// The photos that wait to be on the device, and the IDs of the records that say so.
  fileprivate var waitingPhotos: [(record: WalkRecord.ID, photo: BlobID)] {
    let prefix = WalkRecord.id(ofAttachment: CloudBlobs.waitingPrefix)
    return lazy.map(\.id).filter { $0.hasPrefix(prefix) }.compactMap { id in
      BlobID(hexadecimal: String(id.dropFirst(prefix.count))).map { (id, $0) }
    }
  }

  /// Returns the IDs of the records with sessions of photos that no edit waits to send.
  ///
  /// - Parameter discarded: An edit that doesn't wait any more.
  func abandonedUploads(without discarded: UUID? = nil) -> [WalkRecord.ID] {
    let prefix = WalkRecord.id(ofAttachment: CloudBlobs.keyPrefix)
    var abandoned = Set(lazy.map(\.id).filter { $0.hasPrefix(prefix) })
    guard !abandoned.isEmpty else { return [] }
    for operation in lazy.compactMap(\.operation) where operation.id != discarded {
      // An edit that can't be read was made by a later version.
      guard let photos = try? operation.payload.change.photos else { return [] }
      for photo in photos {
        abandoned.remove(WalkRecord.id(ofAttachment: CloudBlobs.key(photo)))
      }
    }
    return abandoned.sorted()
  }
}
