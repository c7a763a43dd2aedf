internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation
internal import WalkKit

/// The diary in Firestore, as the outbox sends to it.
///
/// An edit is merged into the document field by field. The commit requires that the document is still the one
/// that was read, and creates a receipt, so that the edit is applied once, however often it is sent.
struct DiaryTarget: OutboxTarget {
  let configuration: WalkFirestoreConfiguration
  let client: FirestoreClient
  let blobs: CloudBlobs

  /// What an edit that was applied leaves to say.
  struct Receipt: Sendable {
    /// The fields that the server has from a later edit.
    var overruled: [String] = []
    /// The photos that couldn't be uploaded because they aren't on the device.
    var missingPhotos: [BlobID] = []
  }

  /// A receipt spares the server a second commit. Even without it, such as after it has expired, merging an
  /// edit again changes nothing, so edits may wait as long as they have to.
  var delivery: OutboxDelivery { .receipts() }

  func send(_ operation: OutboxOperation<WalkEdit>) async throws -> Receipt {
    let change = try operation.payload.change
    let path = configuration.diary.child(operation.payload.subject.documentID)
    var missing: [BlobID] = []
    for photo in change.photos where try await !blobs.upload(photo) { missing.append(photo) }
    var attempt = 1
    while true {
      let document = try await client.get(path)
      let known = document.map { DocumentState($0) }
      guard known != nil || change.created != nil || change.removed != nil else {
        throw FieldError(
          .firestoreNotFound,
          "The document \(path) was deleted on the server, so it can't be edited. Discard the edit."
        )
      }
      let merged = known?.merged(with: change) ?? change
      let receipt = Receipt(overruled: merged.overruled(change), missingPhotos: missing)
      if merged == known { return receipt }
      var writes = [write(merged, over: known, document, to: path, operation.payload.subject)]
      if let route = merged.route, change.values[DocumentState.routeField] != nil {
        writes += try await blobs.routeWrites(route, for: operation.key)
      }
      if let route = known?.route, route != merged.route {
        writes += try await blobs.routeDeletions(route, of: path)
      }
      do {
        let commit = try await client.commit(writes, receipt: operation.key)
        return commit.applied == .now ? receipt : try await self.receipt(of: change, at: path)
      } catch let error as FieldError where error.isAboutAnotherVersion && attempt < 4 {
        // Another device was faster: merge with what it has written.
        attempt += 1
      }
    }
  }

  private func write(
    _ merged: DocumentState, over known: DocumentState?, _ document: FirestoreDocument?,
    to path: FirestorePath, _ subject: WalkEdit.Subject
  ) -> FirestoreWrite {
    var fields = merged.document
    let (type, id) = subject.names
    (fields["type"], fields["id"]) = (.string(type), .string(id))
    let now = FirestoreTransform("changedAt", .serverTimestamp)
    guard let known, let document, merged.isAlive else {
      return FirestoreWrite(
        path, .update(fields, mask: nil), transforms: [now],
        precondition: document?.updateTime.map { .updateTime($0) } ?? .exists(false))
    }
    var mask = merged.paths.union(known.paths).filter {
      merged.value(at: $0) != known.value(at: $0)
    }
    for path in ["type", "id"] as [FirestoreFieldPath] where document[path] != fields[path] {
      mask.insert(path)
    }
    let paths = mask.sorted()
    return FirestoreWrite(
      path, .update(fields.masked(paths), mask: paths), transforms: [now],
      precondition: document.updateTime.map { .updateTime($0) } ?? .exists(true))
  }

  func status(of operation: OutboxOperation<WalkEdit>) async throws -> OutboxStatus<Receipt> {
    guard try await client.receipt(operation.key) else { return .notApplied }
    let path = configuration.diary.child(operation.payload.subject.documentID)
    return .applied(try await receipt(of: try operation.payload.change, at: path))
  }

  /// Returns the receipt of an edit whose response was lost: what is later in the document has overruled it.
  private func receipt(of change: DocumentState, at path: FirestorePath) async throws -> Receipt {
    Receipt(
      overruled: try await client.get(path).map { DocumentState($0) }?.overruled(change) ?? [],
      missingPhotos: try await blobs.missingPhotos(of: change))
  }

  func failure(for error: any Error) -> OutboxFailure {
    guard let error = error as? FieldError else { return .unknown }
    switch error.code {
    case .firestoreUnauthenticated, .tokenRefused: return .unauthorized
    case .firestoreResourceExhausted:
      let failure = OutboxFailure(error)
      if case .rateLimited = failure { return failure }
      return .rateLimited(retryAfter: nil)
    case .damaged, .storageChecksum: return .rejected
    default: break
    }
    if error.isAboutAnotherVersion { return .notApplied }
    switch error.firestoreOutcome {
    case .rejected: return .rejected
    case .notApplied: return .notApplied
    case .unknown: return .unknown
    }
  }
}

extension DocumentState {
  fileprivate static let routeField = "route"

  /// The route of a walk that exists.
  fileprivate var route: BlobID? {
    guard isAlive else { return nil }
    return values[Self.routeField]?.value.string.flatMap(BlobID.init(hexadecimal:))
  }
}

extension FieldError {
  /// A Boolean value that indicates whether the document isn't the one any more that was read.
  fileprivate var isAboutAnotherVersion: Bool {
    code == .firestoreFailedPrecondition || code == .firestoreAlreadyExists
      || code == .firestoreNotFound && operation == "firestore.commit"
  }
}
