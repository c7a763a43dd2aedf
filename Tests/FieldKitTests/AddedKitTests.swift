import FieldKit
import FieldTesting
import Foundation
import Testing

@Suite("Kits added to a field", .timeLimit(.minutes(60)))
struct AddedKitTests {
  struct Spot: CatalogRecord, RowReadable {
    static let columns = [RowColumn("id"), RowColumn("name")]
    let id: String
    let name: String

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The spot has no ID.") }
      self.id = id
      name = row.text(1) ?? ""
    }
  }

  private let transport = StubTransport { stubs in
    FieldTests.sources(&stubs)
    stubs.onRequest(where: { $0.url.host() == "spots.example" }, respond: .json(text: rows))
  }
  private static let rows = #"[{"id":"1","name":"A"}]"#

  private func catalog(_ name: String, in storage: Storage) throws -> Catalog<Spot> {
    Catalog<Spot>(
      name, at: try #require(URL(string: "https://spots.example/\(name)")), storage: storage,
      transport: transport, clock: ManualClock())
  }

  private func failures(of field: Field) async -> [String] {
    var failures: [String] = []
    for await step in field.refreshAll() {
      if case .failed(let error)? = step.outcome { failures.append("\(step.kit) \(error.code)") }
    }
    return failures
  }

  @Test(
    "added kits are refused if the field has a kit or store of their name, and its data stays",
    arguments: [
      "zoo", "Zoo", "meteorites", "walks", "civic", "sightings", "civic-feeds", "metro-alerts",
      "metro-timetable",
    ])
  func builtIn(name: String) async throws {
    let storage = Storage.inMemory
    let field = Field(
      storage: storage, transport: transport, clock: ManualClock(),
      adding: [try catalog(name, in: storage)])
    #expect(await failures(of: field) == ["\(name) input.invalid"])
    let error = await #expect(throws: FieldError.self) { try await field.open() }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("The kit \(name) wasn't added.") == true)
    #expect(error?.message.contains("Pass another name") == true)
    await #expect(throws: FieldError.self) { try await field.eraseAll() }
    try await field.zoo.refresh(.now)
    #expect(try await field.zoo.animals(AnimalQuery()).count == 1)
    #expect(try await field.nextRefreshDate != nil)
    try await field.close()
  }

  @Test("added kits are refused from the second one of a name on, and the first works")
  func twoOfOneName() async throws {
    let storage = Storage.inMemory
    let first = try catalog("spots", in: storage)
    let field = Field(
      storage: storage, transport: transport, clock: ManualClock(),
      adding: [first, try catalog("trees", in: storage), try catalog("Spots", in: .inMemory)])
    #expect(await failures(of: field) == ["Spots input.invalid"])
    #expect(try await first.view().count == 1)
    try await field.close()
  }

  @Test("added kits whose store has another kit's name and other records are refused with advice")
  func storeOfAnotherType() async throws {
    struct Other: StoredRecord, Codable { var id: String }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for storage in [Storage.inMemory, .directory(folder)] {
      let store: any RecordStore<Other> = try storage.records("spots", of: Other.self)
      var changes = Changes<Other>()
      changes.upsert(Other(id: "1"))
      try await store.commit(changes, checkpoint: nil, expecting: nil)
      try await store.close()
      let spots = try catalog("spots", in: storage)
      let error = await #expect(throws: FieldError.self) { try await spots.refresh() }
      #expect(error?.code == .invalidInput)
      #expect(error?.message.contains("another kit uses this name") == true)
    }
  }

  @Test("added kits and all others name a reason that they share once")
  func sharedReason() async throws {
    let provider = HomelessStorage()
    let field = Field(storage: Storage(provider), transport: transport, clock: ManualClock())
    let error = await #expect(throws: FieldError.self) { try await field.open() }
    let text = try #require(error?.errorDescription)
    #expect(text.components(separatedBy: "There is no home directory").count == 2, "\(text)")
    for kit in field.kits { #expect(text.contains(kit.name), "\(text)") }
  }

  private struct HomelessStorage: StorageProvider {
    private let error = FieldError(.io, "There is no home directory. Set HOME.")
    func records<Record: StoredRecord>(
      _ name: String, of type: Record.Type
    ) throws -> any RecordStore<Record> { throw error }
    func blobs(_ name: String) throws -> any BlobStore { throw error }
    func journals(_ name: String) throws -> JournalDirectory { throw error }
  }
}
