internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation
internal import WalkKit

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
