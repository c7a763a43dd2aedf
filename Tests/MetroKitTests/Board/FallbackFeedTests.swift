import FieldFakes
import FieldTesting
import Foundation
import MetroKit
import Testing

@Suite("A feed with a fallback")
struct FallbackFeedTests {
  private static let rows = [BoardRows.row("七張站", "松山站", -3)]
  private static func failing(_ code: FieldError.Code) -> ScriptedFeed {
    ScriptedFeed(.failure(FieldError(code, "as told")))
  }

  @Test("a fallback feed queries the next source if one fails, and stops when one returns a board")
  func order() async throws {
    let (first, second) = (Self.failing(.status), ScriptedFeed(.rows(Self.rows)))
    let third = ScriptedFeed(.rows([]))
    let delivery = try await FallbackFeed(first, second, third).fetch(RecordRequest())
    #expect(delivery.records.names == ["七張站→松山站"])
    #expect(first.count == 1)
    #expect(second.count == 1)
    #expect(third.count == 0)
  }

  @Test("a fallback feed throws the first source's error if all fail")
  func allFail() async throws {
    let feed = FallbackFeed(Self.failing(.status), Self.failing(.notData))
    let error = await #expect(throws: FieldError.self) { try await feed.fetch(RecordRequest()) }
    #expect(error?.code == .status)
    await #expect(throws: FieldError.self) { try await FallbackFeed().fetch(RecordRequest()) }
  }

  @Test(
    "a fallback feed doesn't fall back if it is offline, or after errors that aren't configured")
  func limited() async throws {
    let second = ScriptedFeed(.rows(Self.rows))
    let offline = FallbackFeed(Self.failing(.offline), second)
    await #expect(throws: FieldError.self) { try await offline.fetch(RecordRequest()) }
    let limited = FallbackFeed(Self.failing(.notData), second, after: [.notFound])
    await #expect(throws: FieldError.self) { try await limited.fetch(RecordRequest()) }
    #expect(second.count == 0)
  }

  @Test("a fallback feed lets a metro use data.taipei if today's file is missing, and only then")
  func metro() async throws {
    let open = #"""
      {"result":{"limit":1000,"offset":0,"count":1,"sort":"","results":[{"_id":1,"Station":"七張站",
      "Destination":"松山站","UpdateTime":"2024-10-18T11:39:27"}]}}
      """#
    let transport = StubTransport {
      $0.on(
        "metro.arrivals",
        respond: .answering { request in
          request.url.path.hasSuffix("stations.json")
            ? TransportResponse(status: 404) : TransportResponse(status: 200, body: .text(open))
        })
    }
    let clock = ImmediateClock(now: BoardRows.noon)
    let metro = Metro(storage: .inMemory, transport: transport, clock: clock)
    try await metro.refresh()
    #expect(try await metro.board().fresh.names == ["七張站→松山站"])
    #expect(transport.requests.first?.url.host == "tcgmetro.blob.core.windows.net")
  }
}
