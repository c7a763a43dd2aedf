internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation

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
