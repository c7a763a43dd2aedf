import FieldCore
import FieldTesting
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("The members' feed")
struct TrackInfoTests {
  private let userName = "me&<you>"
  private let password = "pa\"ss<word>"

  private func feed(_ transport: any Transport) -> TrackInfoFeed {
    TrackInfoFeed(userName: userName, password: password, transport: transport)
  }

  @Test("the members' feed gets name and password in SOAP, once, and redirects aren't followed")
  func asking() async throws {
    let stub = StubTransport {
      $0.on("metro.trackInfo", method: .post, respond: .text(FeedFixture.trackInfoBeforeEnvelope))
    }
    let delivery = try await feed(stub).fetch(RecordRequest())
    #expect(delivery.records.count == 4)
    #expect(delivery.facts.validators.isEmpty)
    let request = try #require(stub.requests.first)
    #expect(!request.followsRedirects && !request.isIdempotent)
    #expect(request.fields["Content-Type"] == "text/xml; charset=utf-8")
    #expect(request.url.absoluteString == "https://api.metro.taipei/metroapi/TrackInfo.asmx")
    let body = String(decoding: try #require(try request.body?.bytes()), as: UTF8.self)
    #expect(
      body.contains(
        "<getTrackInfo xmlns=\"http://tempuri.org/\"><userName>me&amp;&lt;you&gt;</userName>"))
    #expect(body.contains("<passWord>pa&quot;ss&lt;word&gt;</passWord></getTrackInfo>"))
  }

  @Test(
    "the members' feed fails with a code for each kind of invalid response",
    arguments: [
      (StubTransport.Response.text(FeedFixture.webPage), FieldError.Code.notData),
      (.text(FeedFixture.fault), .feedRefused),
      (.text(FeedFixture.fault, status: 500), .feedRefused),
      (.text(FeedFixture.webPage, status: 500), .status), (.status(401), .signInRefused),
      (.status(302, fields: ["Location": "https://elsewhere.example/"]), .signInRefused),
      (.text("[]" + FeedFixture.envelope), .emptyFeed), (.text("[{"), .cut),
      (.status(429), .tooManyRequests),
    ])
  func failures(answer: StubTransport.Response, code: FieldError.Code) async throws {
    let stub = StubTransport { $0.on("metro.trackInfo", respond: answer) }
    await expect(code, from: feed(stub))
    let error = await #expect(throws: FieldError.self) {
      try await feed(stub).fetch(RecordRequest())
    }
    #expect(!"\(error as Any)".contains("pa\"ss"))
  }

  @Test(
    "the members' feed counts trains down as time passes, before the envelope and in it",
    arguments: [false, true])
  func countingDown(isEscaped: Bool) async throws {
    let clock = ManualClock()
    let fake = FakeMetroFeed(
      clock: clock, escapesTrackInfo: isEscaped,
      account: .init(userName: userName, password: password))
    let first = try await feed(fake).fetch(RecordRequest())
    #expect(first.records.count > 20)
    #expect(first.unknownStations.isEmpty)
    #expect(first.records.allSatisfy { $0.countdown?.seconds != nil })
    // A train without a number at its last station, 大安, can be of either line there.
    #expect(first.records.allSatisfy { $0.line != nil || $0.station == "大安" })
    #expect(first.facts.serverDate == clock.now)
    clock.advance(by: .seconds(30))
    let second = try await feed(fake).fetch(RecordRequest())
    let before = Dictionary(uniqueKeysWithValues: first.records.map { ($0.id, $0) })
    let numbered = second.records.filter { $0.trainNumber != nil && before[$0.id] != nil }
    #expect(numbered.count > 10)
    for arrival in numbered {
      // To a train that is counted down the same moment is left, whenever it was asked.
      let earlier = before[arrival.id]?.expectedAt
      let shift = try #require(arrival.expectedAt).timeIntervalSince(try #require(earlier))
      #expect(abs(shift) < 10, "\(arrival.id)")
    }
    await expect(
      .feedRefused, from: TrackInfoFeed(userName: userName, password: "x", transport: fake))
  }

  @Test(
    "the members' feed keeps name and password out of the error if a fault quotes them",
    arguments: [200, 500])
  func quotingFault(status: Int) async throws {
    let said = "no such member: me&amp;&lt;you&gt;, pa&quot;ss&lt;word&gt; &amp;amp;"
    let stub = StubTransport {
      $0.on(
        "metro.trackInfo",
        respond: .text(
          "<Envelope><Fault><faultstring>\(said)</faultstring></Fault></Envelope>", status: status))
    }
    let error = await #expect(throws: FieldError.self) {
      try await feed(stub).fetch(RecordRequest())
    }
    #expect(error?.code == .feedRefused)
    #expect(error?.message.contains("no such member") == true)
    let told = "\(error as Any)"
    #expect(!told.contains("me&") && !told.contains("pa\"ss"))
  }

  @Test("the members' feed sends nothing without a password")
  func noPassword() async throws {
    let stub = StubTransport { _ in }
    await expect(
      .signInRefused, from: TrackInfoFeed(userName: "a", password: "", transport: stub))
    #expect(stub.requests.isEmpty)
  }

  @Test("the members' feed keeps name and password out of every log and description")
  func secrets() async throws {
    let stub = StubTransport {
      $0.on("metro.trackInfo", respond: .text(FeedFixture.trackInfo))
    }
    let lines = Lock<[String]>([])
    let feed = feed(stub.logging { event in lines.withLock { $0.append("\(event)") } })
    _ = try await feed.fetch(RecordRequest())
    var text = lines.withLock { $0.joined() } + "\(feed)" + String(reflecting: feed)
    // The network is large, and knows nothing of secrets.
    for child in Mirror(reflecting: feed).children where !(child.value is MetroNetwork) {
      dump(child.value, to: &text)
    }
    #expect(lines.withLock(\.count) == 2)
    #expect(!text.contains(userName) && !text.contains("me&") && !text.contains("pa\"ss"))
  }
}
