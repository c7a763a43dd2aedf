//! Testing a sync against a portal in memory.

// snippet.hide
import FieldFakes
import FieldKit
import Foundation

func interruption() async throws {
  // snippet.show
  // snippet.server
  let server = FakeSODAServer(
    dataset: "gh4g-9sfh", columns: ["id", "name", .init("mass", .number)], key: "id",
    rows: (1...50).map { ["id": .text("\($0)"), "name": .text("Stone \($0)"), "mass": 10] })
  let table = SODATable(
    client: SODAClient(
      try SODADataset("gh4g-9sfh", at: "soda.example"), transport: server,
      clock: ImmediateClock()),
    key: "id", storage: .inMemory, options: SyncOptions(pageSize: 10))
  // snippet.end

  // snippet.interrupt
  server.faults.append(.drop(), onRequest: 3)
  do {
    try await table.refresh(.now)
  } catch {
    print(try await table.rows().count)  // 20: two pages arrived
  }
  let report = try await table.refresh(.now)
  print(report.added, report.notices.map(\.code))  // 30 [refresh.resumed]
  // snippet.end

  // snippet.meanwhile
  server.onRequest = { number, _ in
    if number == 8 { server.update("3", ["mass": 77]) }  // between two pages
  }
  // snippet.end

  // snippet.replicas
  server.replicas = [.current, .behind(writes: 1)]  // the second admits that it is out of date
  server.options.pageCap = 7  // shorter pages than requested
  // snippet.end

  // snippet.requests
  for request in server.requests {
    print(request.number, request[parameter: "$where"] ?? "", request.tokensInAddress)
  }
  // snippet.end
  // snippet.hide
}
