import FieldFakes
import FieldKit
import Foundation

/// `day-out sync`: a sync with a portal on this machine that is interrupted, resumes, and then asks for
/// nothing but what has changed.
struct SyncDemonstration: Command {
  static let name = "sync"
  static let summary = "interrupts a sync on loopback and resumes it"
  static let examples = ["day-out sync"]
  static let details: [Detail] = []

  private let portal = portal(rows: 20_000)

  /// A portal with rows of meteorites.
  static func portal(rows count: Int) -> FakeSODAServer {
    FakeSODAServer(
      dataset: "gh4g-9sfh",
      columns: ["id", "name", "recclass", .init("mass", .number), "fall"], key: "id",
      rows: (1...count).map { stone($0) })
  }

  /// A catalog that is synced with the portal.
  static func catalog(
    at portal: URL, storage: Storage, pageSize: Int
  ) throws -> MeteoriteCatalog {
    MeteoriteCatalog(
      source: SODAMeteorites(
        SODAClient(
          try SODADataset("gh4g-9sfh", at: portal.absoluteString),
          transport: URLSessionTransport()),
        deletion: .byKeys, options: SyncOptions(pageSize: pageSize, overlap: .seconds(0))),
      storage: storage)
  }

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else { throw UsageError("sync takes no operands") }
  }

  func run() async throws {
    say("A portal with \(grouped(portal.rowCount)) rows, over HTTP on this machine.\n", indent: 0)
    let server = try LoopbackServer(serving: portal)
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "day-out-sync-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }

    say("First run, with pages of 2,000 rows; the connection breaks in the middle:", indent: 0)
    portal.faults.append(.drop(), onRequests: 6...)
    do {
      try await refresh(at: server.url, in: folder)
    } catch let error as FieldError {
      say("stopped: \(error.message)")
    }

    print()
    say("The same again, as after a restart. The pages that arrived are kept:", indent: 0)
    portal.faults.removeAll()
    try await refresh(at: server.url, in: folder)

    print()
    say("Two rows change, one is removed, and one is new:", indent: 0)
    portal.upsert([
      Self.stone(7, mass: 77), Self.stone(8, mass: 88), Self.stone(20_001),
    ])
    portal.delete("13")
    portal.forgetRequests()
    try await refresh(at: server.url, in: folder)
    say("it took \(portal.requestCount) requests, most of them only for IDs")
    await server.stop()
  }

  /// Opens the store, refreshes and closes it, as a program does that runs once.
  private func refresh(at portal: URL, in folder: URL) async throws {
    let catalog = try Self.catalog(at: portal, storage: .directory(folder), pageSize: 2_000)
    do {
      let report = try await ProgressBar.following(catalog.refreshProgress()) {
        try await catalog.refresh(.now)
      }
      say(report.summary)
      for notice in report.notices { say("note: \(notice.message)") }
      try await catalog.close()
    } catch {
      let stored = try await catalog.count()
      print("  \(grouped(stored)) rows are stored")
      try await catalog.close()
      throw error
    }
  }

  private static func stone(_ number: Int, mass: Int = 10) -> FakeSODAServer.Row {
    [
      "id": .text("\(number)"), "name": .text("Stone \(number)"), "recclass": "L6",
      "mass": .number("\(mass)"), "fall": "Found",
    ]
  }
}
