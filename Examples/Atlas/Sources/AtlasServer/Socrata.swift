import FieldFakes
import FieldKit
import Foundation
import Hummingbird

/// A sync of a Socrata dataset, as the page shows it.
struct SocrataPayload: Codable, Sendable {
  var dataset: String
  /// `idle`, `running`, `interrupted`, `failed`, or `done`.
  var state = "idle"
  /// The number of rows that are stored.
  var stored = 0
  /// The number of rows that this run received; the others are from earlier runs.
  var received = 0
  var fraction = 0.0
  var columns: [String] = []
  var rows: [[String]] = []
  var failure: FailurePayload?

  /// Takes the count, and the cells of the first rows.
  mutating func take(_ snapshot: Snapshot<SODARow>) {
    stored = snapshot.count
    columns = Array(Set(snapshot.prefix(5).flatMap(\.cells.keys)).sorted().prefix(4))
    rows = snapshot.prefix(5).map { row in columns.map { row[$0]?.text ?? "" } }
  }
}

/// A type that syncs one dataset at a time, page by page, and can be interrupted at any page.
final class SocrataSync: Sendable {
  private struct State: Sendable {
    var payload: SocrataPayload?
    var task: Task<Void, Never>?
  }

  private let atlas: AtlasField
  private let hub: Hub
  private let state = Locked(State())

  init(atlas: AtlasField, hub: Hub) {
    self.atlas = atlas
    self.hub = hub
  }

  // atlas:begin meteorites
  /// Returns a table of any dataset of the portal.
  private func table(_ id: String) throws -> SODATable {
    SODATable(
      try SODADataset(id, at: atlas.portal), storage: atlas.storage,
      transport: atlas.portalTransport, options: SyncOptions(pageSize: 1_000, pageLimit: 200))
  }

  /// Refreshes the table. Each page is stored with the position after it, so a later run continues there.
  private func sync(_ table: SODATable) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        for await step in table.refreshProgress() {
          update {
            $0.received = max($0.received, step.rows ?? 0)
            $0.fraction = step.fractionCompleted
          }
        }
      }
      group.addTask { [self] in
        for try await rows in table.updates() { update { $0.take(rows) } }
      }
      try await table.refresh(.now)
      group.cancelAll()
    }
  }
  // atlas:end meteorites

  /// Returns the running or last sync of a dataset, or what is stored of it.
  func status(_ id: String) async throws -> SocrataPayload {
    if let payload = state.withLock(\.payload), payload.dataset == id { return payload }
    var payload = SocrataPayload(dataset: id)
    let table = try table(id)
    payload.take(try await table.rows())
    try await table.close()
    return payload
  }

  /// Starts a sync, unless one is running.
  func start(_ id: String) async throws {
    let table = try table(id)
    var payload = SocrataPayload(dataset: id, state: "running")
    payload.take(try await table.rows())
    let isNew = state.withLock { [payload] state in
      guard state.payload?.state != "running" else { return false }
      state.payload = payload
      state.task = Task { [self] in await run(table) }
      return true
    }
    guard isNew else { throw HTTPError(.conflict, message: "A sync is running.") }
    update { _ in }
  }

  /// Interrupts the sync, and waits until it has ended.
  func interrupt() async {
    let task = state.withLock(\.task)
    task?.cancel()
    await task?.value
  }

  private func run(_ table: SODATable) async {
    var (outcome, failure): (String, FailurePayload?) = ("done", nil)
    do {
      try await sync(table)
    } catch is CancellationError {
      outcome = "interrupted"
    } catch {
      (outcome, failure) = ("failed", FailurePayload(error))
    }
    let rows = try? await Task.detached { try await table.rows() }.value
    try? await table.close()
    update { [outcome, failure] payload in
      if let rows { payload.take(rows) }
      payload.state = outcome
      payload.failure = failure
    }
  }

  private func update(_ change: @Sendable (inout SocrataPayload) -> Void) {
    let payload = state.withLock { state -> SocrataPayload? in
      guard var payload = state.payload else { return nil }
      change(&payload)
      state.payload = payload
      return payload
    }
    if let payload { hub.send("socrata", payload) }
  }
}

/// A portal on the loopback interface that has a dataset for every ID, with made-up rows.
final class SocrataPortal: Sendable {
  static let rowCount = 20_000
  private static let limit = 16
  private let servers = Locked<[String: FakeSODAServer]>([:])

  func answer(_ request: TransportRequest) async throws -> TransportResponse {
    let name = request.url.lastPathComponent.prefix { $0 != "." }
    guard let server = server(String(name)) else { return TransportResponse(status: 404) }
    // About as slow as a portal, so that there is time to interrupt a sync.
    try await Task.sleep(for: .milliseconds(150))
    return try await server.send(request)
  }

  private func server(_ id: String) -> FakeSODAServer? {
    servers.withLock { servers in
      if let server = servers[id] { return server }
      guard servers.count < Self.limit else { return nil }
      let server = FakeSODAServer(
        dataset: id, columns: ["name", "kind", .init("height", .number), "street"])
      let trees = ["camphor", "banyan", "elm", "maple", "cherry", "pine", "ginkgo"]
      let seed = id.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
      server.generate(Self.rowCount) { index in
        [
          "name": .text("Tree \(index + 1)"), "kind": .text(trees[(index &* 13 &+ seed) % 7]),
          "height": .number((index &* 7 &+ seed) % 30 + 2),
          "street": .text("Street \((index &* 3 &+ seed) % 400 + 1)"),
        ]
      }
      servers[id] = server
      return server
    }
  }
}

extension Router where Context == BasicRequestContext {
  func addSocrata(_ world: World) {
    let socrata = world.socrata
    get("api/socrata/{id}") { _, context in
      try json(try await socrata.status(try context.parameters.require("id")))
    }
    post("api/socrata/{id}/sync") { _, context in
      let id = try context.parameters.require("id")
      try await socrata.start(id)
      return try json(try await socrata.status(id), status: .accepted)
    }
    post("api/socrata/{id}/interrupt") { _, context in
      await socrata.interrupt()
      return try json(try await socrata.status(try context.parameters.require("id")))
    }
  }
}
