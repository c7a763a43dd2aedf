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
