import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("An invalid response", .timeLimit(.minutes(60)))
struct CivicBadAnswerTests {
  @Test(
    "an invalid response is a typed error, and the directory is unchanged",
    arguments: [
      (FakeCivicService.Failure.noResult, FieldError.Code.civicResult),
      (.result(1), .civicResult),
      (.noData, .schema),
      (.webPage, .notData),
      (.noBody, .emptyBody),
      (.cut(after: 15), .cut),
      (.noKeys, .unusableCivicRows),
      (.status(500), .status),
      (.status(404), .notFound),
      (.status(304), .status),
      (.offline, .offline),
    ],
    ["administrativeUnit", "inKeyword", "mobileApp"])
  func bad(_ failure: (FakeCivicService.Failure, FieldError.Code), _ table: String) async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let before = try await fixture.snapshot()
    try fixture.server.put("edm", #"{"edmId":"e7","edmName":"新"}"#)
    try fixture.server.put("administrativeUnit", #"{"unitId":"u7","name":"新"}"#)
    fixture.server.fail(failure.0, table: table)
    let error = await #expect(throws: FieldError.self) { try await fixture.directory.refresh() }
    #expect(error?.code == failure.1)
    let after = try await fixture.snapshot()
    #expect(Array(after) == Array(before))
    #expect(after.checkpoint == before.checkpoint)
    fixture.server.fail(nil)
    #expect(try await fixture.directory.refresh().added == 2)
  }

  @Test(
    "an invalid response is rejected as manual input as well",
    arguments: [
      (#"{"data":[]}"#, CivicTable.units, FieldError.Code.civicResult),
      (#"{"result":2,"data":[]}"#, .units, .civicResult),
      (#"{"result":null,"data":[]}"#, .units, .civicResult),
      (#"{"result":0,"data":7}"#, .units, .schema),
      (#"{"name":"無鍵"}"#, .units, .unusableCivicRows),
      (#"{"unitId":"null","name":"無鍵"}"#, .units, .unusableCivicRows),
      (#"[1,2]"#, .units, .unusableCivicRows),
      (#"{"unitId":"u1"}"#, .memberships, .unusableCivicRows),
      (#"{"stringId":"c1","keywordId":"k1"}"#, .keywordLinks, .unusableCivicRows),
      (#"{"unitId":"u1"}"#, CivicTable(rawValue: "beacon"), .unknownCivicTable),
      (#"[]"#, CivicTable(rawValue: "beacon"), .unknownCivicTable),
      (#"[{"hotDescription":"無鍵"}]"#, .activities, .unusableCivicRows),
      (#"7"#, .units, .schema),
      (#"{}"#, .units, .schema),
      (#"[{"unitId":"u1"}"#, .units, .cut),
      ("<html></html>", .units, .notData),
      ("", .units, .emptyBody),
    ])
  func byHand(_ json: String, _ table: CivicTable, _ code: FieldError.Code) async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let before = try await fixture.directory.export()
    let error = await #expect(throws: FieldError.self) {
      try await fixture.directory.apply(Data(json.utf8), to: table)
    }
    #expect(error?.code == code)
    #expect(try await fixture.directory.export() == before)
  }

  @Test("an invalid response that is a text such as Unauthorized is a refusal with that text")
  func refusal() async throws {
    let fixture = try CivicFixture()
    let transport = StubTransport {
      $0.onRequest(where: { _ in true }, respond: .text("Unauthorized"))
    }
    let directory = CivicFixture.directory(
      of: fixture.server, storage: fixture.storage, clock: fixture.clock, transport: transport)
    let error = await #expect(throws: FieldError.self) { try await directory.refresh() }
    #expect(error?.code == .notData)
    #expect(error?.message.contains("“Unauthorized”") == true)
  }

  @Test("an invalid response that is partly valid returns the usable rows, and reports the others")
  func inPart() async throws {
    let fixture = try CivicFixture(isFilled: false)
    let json = #"{"result":0,"data":[{"edmName":"無鍵"},{"edmId":"e1","edmName":"有"},null]}"#
    let report = try await fixture.directory.apply(Data(json.utf8), to: .banners)
    #expect((report.rows, report.added, report.failureCount) == (3, 1, 2))
    #expect(report.failures.map(\.index) == [0, 2])
    #expect(report.failures[0].reason.contains("edmId"))
  }

  @Test("an invalid response doesn't move a cursor past the usable rows")
  func cursor() async throws {
    let fixture = try CivicFixture(isFilled: false)
    let json = #"[{"edmId":"e1","lastUpdateTime":100},{"edmName":"無鍵","lastUpdateTime":200}]"#
    try await fixture.directory.apply(Data(json.utf8), to: .banners, advancingCursor: true)
    #expect(try await fixture.snapshot().checkpoint?.cursors["table.edm"] == "100")
  }

  @Test("a response that never arrives can be canceled, and nothing is stored")
  func cancelled() async throws {
    let fixture = try CivicFixture()
    let transport = FaultTransport(fixture.server, .always(.silence))
    let directory = CivicFixture.directory(
      of: fixture.server, storage: fixture.storage, clock: fixture.clock, transport: transport)
    let task = Task { try await directory.refresh() }
    try await eventually { transport.requestCount > 0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await directory.view().units.isEmpty)
  }
}
