import FieldCore
import FieldFakes
import FieldTesting
import FirestoreFakes
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

@Suite(.timeLimit(.minutes(60))) struct DiaryTargetTests {
  private static let invalidName = "bad"

  private static func edit(_ number: Int, name: String? = nil) -> WalkEdit {
    var change = DocumentState()
    change.created = Stamp(microseconds: UInt64(number), device: "a")
    change.values = DiaryDocument.pet(Device.pet("\(number)", name)).values()
    return WalkEdit(.pet(Pet.ID(rawValue: "\(number)")), change)
  }

  private static func target(_ transport: any Transport) -> DiaryTarget {
    var firestore = FakeFirestore().configuration
    firestore.retry = .never
    let configuration = WalkFirestoreConfiguration(firestore)
    let client = FirestoreClient(firestore, transport: transport)
    return DiaryTarget(
      configuration: configuration, client: client,
      blobs: CloudBlobs(
        local: InMemoryBlobStore(), configuration: configuration, firestore: client, photos: nil,
        sessions: Storage.inMemory.store(StoredWalks.storeName)))
  }

  /// The edits in the order in which their documents were created, and one for each commit that is too many.
  private static func applied(by server: FakeFirestore) throws -> [WalkEdit] {
    let created = try server.documents.filter { $0.path.parent == "diary" }
      .map { (time: try #require($0.createTime), number: Int($0.path.id.dropFirst()) ?? 0) }
    let edits = created.sorted { $0.time < $1.time }.map { edit($0.number) }
    return edits + Array(repeating: edit(0), count: server.commitCount - edits.count)
  }

  @Test func `a diary's edits keep to the contract of an outbox's target`() async throws {
    // An edit that is equal to an earlier one has nothing to change.
    let failures = try await OutboxTargetConformance.failures(
      excluding: [.twoKeys], invalid: Self.edit(0, name: Self.invalidName),
      sampling: { Sample.of($0, 100, inDebug: 30) }, Self.target
    ) {
      var options = FakeFirestore.Options()
      options.isAllowed = { $0.fields?["name"] != .string(Self.invalidName) }
      return FakeFirestore(options: options)
    } payload: {
      Self.edit($0)
    } applied: {
      try Self.applied(by: $0)
    }
    #expect(failures.map(\.description) == [])
  }
}
