import FieldCore
import FieldTesting
import Foundation
import MetroKit
import Testing

@Suite("TDX")
struct TDXTests {
  private let clock = ManualClock()

  private func token(
    _ transport: any Transport, secret: String = "secret", margin: Duration = .seconds(60)
  ) -> TDXToken {
    TDXToken(
      clientID: "client", secret: secret, transport: transport, margin: margin, clock: clock)
  }

  private func board(_ fake: FakeMetroFeed) -> TDXLiveBoard {
    TDXLiveBoard(token: token(fake), transport: fake)
  }

  @Test("TDX returns the live board for a token, in both forms", arguments: [false, true])
  func liveBoard(isWrapped: Bool) async throws {
    let fake = FakeMetroFeed(clock: clock, wrapsLiveBoard: isWrapped)
    let delivery = try await board(fake).fetch(RecordRequest())
    let plain = try await MetroStationFeed(transport: fake).fetch(RecordRequest())
    #expect(delivery.records.map(\.id) == plain.records.map(\.id))
    #expect(delivery.records.allSatisfy { $0.line != nil && $0.updatedAt?.instant != nil })
    #expect(delivery.facts.serverDate == clock.now)
    let request = try #require(fake.requests.first { $0.operation == "metro.tdx.liveBoard" })
    #expect(
      request.url.absoluteString
        == "https://tdx.transportdata.tw/api/basic/v2/Rail/Metro/LiveBoard/TRTC?%24format=JSON")
    #expect(request.fields["Authorization"] == "Bearer fake-token-1")
  }

  @Test("TDX receives the ID and the secret in a form for a token, without following redirects")
  func tokenRequest() async throws {
    let stub = StubTransport {
      $0.on(
        "metro.tdx.token", method: .post,
        respond: .json(text: #"{"access_token":"abc","expires_in":"86400","token_type":"Bearer"}"#))
      $0.on("metro.tdx.liveBoard", respond: .json(text: FeedFixture.liveBoard))
    }
    let token = TDXToken(clientID: "a+b", secret: "c&d", transport: stub, clock: clock)
    let board = TDXLiveBoard(token: token, transport: stub)
    #expect(try await board.fetch(RecordRequest()).records.count == 2)
    let request = try #require(stub.requests.first)
    #expect(request.url == TDXToken.presentAddress)
    #expect(!request.followsRedirects)
    #expect(
      try request.body?.bytes()
        == Array("grant_type=client_credentials&client_id=a%2Bb&client_secret=c%26d".utf8))
  }

  @Test("TDX issues one token for a hundred concurrent callers")
  func singleFlight() async throws {
    let fake = FakeMetroFeed(clock: clock)
    // The first answer waits until all have asked.
    let slow = FaultTransport(
      fake, .always(.latency(.seconds(5))).on("metro.tdx.token"), clock: clock)
    let board = TDXLiveBoard(token: token(slow), transport: slow)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { try await board.fetch(RecordRequest()).records.count }
      }
      _ = try await clock.nextSleep()
      clock.advance(by: .seconds(5))
      for try await count in group { #expect(count > 0) }
    }
    #expect(fake.tokenCount == 1)
    #expect(fake.requests.count { $0.operation == "metro.tdx.token" } == 1)
    #expect(fake.requests.count { $0.operation == "metro.tdx.liveBoard" } == 100)
  }

  @Test("TDX is asked for a new token shortly before the old one expires, and not earlier")
  func expiry() async throws {
    let fake = FakeMetroFeed(clock: clock, tokenLife: .seconds(600))
    let board = board(fake)
    for (pause, tokens) in [(0, 1), (539, 1), (1, 2), (539, 2), (1, 3)] {
      clock.advance(by: .seconds(pause))
      _ = try await board.fetch(RecordRequest())
      #expect(fake.tokenCount == tokens)
    }
    let short = FakeMetroFeed(clock: clock, tokenLife: .seconds(40))
    let hasty = self.board(short)
    for (pause, tokens) in [(0, 1), (19, 1), (1, 2)] {
      clock.advance(by: .seconds(pause))
      _ = try await hasty.fetch(RecordRequest())
      #expect(short.tokenCount == tokens, "half the life of a token that ends before the margin")
    }
  }

  @Test("TDX that rejects a token is asked for a new one, once for all callers")
  func revoked() async throws {
    let fake = FakeMetroFeed(clock: clock)
    let board = board(fake)
    _ = try await board.fetch(RecordRequest())
    fake.revokeTokens()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask { try await board.fetch(RecordRequest()).records.count }
      }
      for try await count in group { #expect(count > 0) }
    }
    #expect(fake.tokenCount == 2)
  }

  @Test("TDX that rejects every token is queried with two, and not again")
  func refusing() async throws {
    let stub = StubTransport {
      $0.on(
        "metro.tdx.token",
        respond: .json(text: #"{"access_token":"abc","expires_in":86400}"#))
      $0.on("metro.tdx.liveBoard", respond: .status(401))
    }
    await expect(.signInRefused, from: TDXLiveBoard(token: token(stub), transport: stub))
    #expect(stub.requests(for: "metro.tdx.token").count == 2)
    #expect(stub.requests(for: "metro.tdx.liveBoard").count == 2)
  }

  @Test("TDX has separate errors for a wrong secret, too many tokens, and too many requests")
  func refusals() async throws {
    let fake = FakeMetroFeed(clock: clock, tokensPerMinute: 2)
    let wrong = TDXLiveBoard(token: token(fake, secret: "wrong"), transport: fake)
    await expect(.signInRefused, from: wrong)
    await expect(.signInRefused, from: wrong)
    await expect(.tooManyRequests, from: wrong)
    #expect(fake.requests.count == 3, "the board is not asked for without a token")
    clock.advance(by: .seconds(60))
    #expect(try await board(fake).fetch(RecordRequest()).records.isEmpty == false)
    let busy = StubTransport {
      $0.on(
        "metro.tdx.token",
        respond: .json(text: #"{"access_token":"abc","expires_in":86400}"#))
      $0.on("metro.tdx.liveBoard", respond: .status(429, fields: ["Retry-After": "60"]))
    }
    let error = await #expect(throws: FieldError.self) {
      try await TDXLiveBoard(token: token(busy), transport: busy).fetch(RecordRequest())
    }
    #expect(error?.code == .tooManyRequests)
    #expect(error?.response?.fields["Retry-After"] == "60")
  }

  @Test(
    "TDX without a token in its response is an error that quotes none of it",
    arguments: [
      (StubTransport.Response.text(FeedFixture.webPage), FieldError.Code.notData),
      (.json(text: "{}"), .notData), (.json(text: ""), .notData),
      (.json(text: #"{"access_token":"s3cret","#), .notData),
      (.json(text: #"{"access_token":"s3cret\r\nX: y"}"#), .notData),
      (.status(500), .status), (.status(400), .signInRefused),
      (.status(302, fields: ["Location": "https://elsewhere.example"]), .signInRefused),
      (.error(.offline), .offline),
    ])
  func noToken(answer: StubTransport.Response, code: FieldError.Code) async throws {
    let stub = StubTransport { $0.on("metro.tdx.token", respond: answer) }
    let error = await #expect(throws: FieldError.self) {
      try await TDXLiveBoard(token: token(stub), transport: stub).fetch(RecordRequest())
    }
    #expect(error?.code == code)
    #expect(!"\(error as Any)".contains("s3cret"))
    #expect(stub.requests.count == 1)
  }

  @Test("TDX keeps ID, secret, and token out of every log and description")
  func secrets() async throws {
    let fake = FakeMetroFeed(
      clock: clock, account: .init(clientID: "my-client-id", secret: "my-own-password"))
    let lines = Lock<[String]>([])
    // What the fake knows is its own business, so it is out of the mirror's sight.
    let logged = Passing { try await fake.send($0) }
      .logging { event in lines.withLock { $0.append("\(event)") } }
    let token = TDXToken(
      clientID: "my-client-id", secret: "my-own-password", transport: logged, clock: clock)
    let board = TDXLiveBoard(token: token, transport: logged)
    _ = try await board.fetch(RecordRequest())
    var text = lines.withLock { $0.joined() } + "\(token) \(board)" + String(reflecting: token)
    dump(token, to: &text)
    // The network is large, and knows nothing of secrets.
    for child in Mirror(reflecting: board).children where !(child.value is MetroNetwork) {
      dump(child.value, to: &text)
    }
    #expect(lines.withLock(\.count) == 4)
    for secret in ["my-client-id", "my-own-password", "fake-token"] {
      #expect(!text.contains(secret), "\(secret)")
    }
  }

  @Test("TDX has no message in normal operation, and its own message otherwise")
  func alerts() async throws {
    let calm = FakeMetroFeed(clock: clock)
    let none = try await TDXAlerts(token: token(calm), transport: calm).fetch()
    #expect(none.alerts.isEmpty && none.failures.isEmpty)
    #expect(none.serverDate == clock.now)
    let disturbed = FakeMetroFeed(clock: clock, alerts: ["淡水信義線延誤", "文湖線停駛"])
    let some = try await TDXAlerts(token: token(disturbed), transport: disturbed).fetch()
    #expect(some.alerts.map(\.title) == ["淡水信義線延誤", "文湖線停駛"])
    #expect(some.alerts.map(\.id.rawValue) == ["1", "2"])
    let text = #"""
      {"UpdateTime":"2026-07-18T21:37:36+08:00","Alerts":[
      {"AlertID":"0","Title":"正常營運","Status":1},
      {"AlertID":"0","Title":"列車延誤","Status":2},
      {"AlertID":17,"Description":"人潮","Status":"2","Scope":{"Lines":[{"LineID":"BL"}],
      "Stations":[{"StationID":"BL12","StationName":{"Zh_tw":"台北車站"}},{"StationID":"XX9"}]},
      "PublishTime":"2026-07-18T21:00:00+08:00"},{"Title":"?"},5]}
      """#
    let read = try MetroAlerts(reading: Array(text.utf8))
    #expect(read.alerts.map(\.title) == ["列車延誤", "人潮"])
    #expect(read.alerts.last?.lines == ["BL"])
    #expect(read.alerts.last?.stations == ["台北車站"])
    #expect(read.alerts.last?.stationNames == ["台北車站", "XX9"])
    #expect(read.alerts.last?.publishedAt?.instant != nil)
    #expect(read.failures.map(\.index) == [3, 4])
  }

  @Test(
    "TDX that returns something other than alerts is an error",
    arguments: [
      (FeedFixture.webPage, FieldError.Code.notData), ("{}", .schema), ("", .emptyBody),
      (#"{"Alerts":[{"#, .cut), (#"{"message":"no"}"#, .notData),
    ])
  func noAlerts(text: String, code: FieldError.Code) {
    let error = #expect(throws: FieldError.self) { try MetroAlerts(reading: Array(text.utf8)) }
    #expect(error?.code == code)
  }

  @Test("TDX stops if its task is canceled, and the token request continues for the others")
  func cancellation() async throws {
    let slow = FaultTransport(
      FakeMetroFeed(clock: clock), .always(.latency(.seconds(5))).on("metro.tdx.token"),
      clock: clock)
    let board = TDXLiveBoard(token: token(slow), transport: slow)
    let first = Task { try await board.fetch(RecordRequest()) }
    let second = Task { try await board.fetch(RecordRequest()) }
    _ = try await clock.nextSleep()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // The second may have come when the first was gone already, and then asks for itself.
    let ticker = Task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(5))
        await Task.yield()
      }
    }
    #expect(try await second.value.records.isEmpty == false)
    ticker.cancel()
  }
}

/// A transport that is a closure.
struct Passing: Transport {
  let body: @Sendable (TransportRequest) async throws -> TransportResponse

  init(_ body: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
    self.body = body
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await body(request)
  }
}
