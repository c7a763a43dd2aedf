import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The fake metro")
struct FakeMetroFeedTests {
  private let clock = ManualClock()

  private func stations(_ fake: FakeMetroFeed) async throws -> String {
    let answer = try await fake.send(
      TransportRequest(url: address("https://x/stationnames/stations.json"), operation: "a"))
    return String(decoding: try answer.body.bytes(), as: UTF8.self)
  }

  private func rows(_ text: String) throws -> [[String: String]] {
    let data = Data(text.utf8.drop { $0 != UInt8(ascii: "[") })
    return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: String]])
  }

  @Test("the fake metro moves trains at the pace of the feed")
  func moving() async throws {
    let fake = FakeMetroFeed(clock: clock)
    let first = try await stations(fake)
    #expect(try rows(first).count > 3)
    clock.advance(by: .seconds(29))
    #expect(try await stations(fake) == first)
    clock.advance(by: .seconds(1))
    let second = try await stations(fake)
    #expect(second != first)
    var stops: [String] = []
    for _ in 0..<40 {
      clock.advance(by: .seconds(30))
      for row in try rows(try await stations(fake)) where row["Destination"] == "北投站" {
        stops.append(row["Station"] ?? "")
      }
    }
    // Twenty minutes of a train every three, six stations each; each reaches the next one in 155 s.
    #expect(stops.count == 40)
    #expect(Set(stops) == ["紅樹林站", "竹圍站", "關渡站", "忠義站", "復興崗站", "北投站"])
  }

  @Test("the fake metro returns every event once, and stamps it within the interval")
  func everyEventOnce() async throws {
    let fake = FakeMetroFeed(clock: clock)
    var seen: Set<[String: String]> = []
    for _ in 0..<60 {
      for row in try rows(try await stations(fake)) { #expect(seen.insert(row).inserted) }
      clock.advance(by: .seconds(30))
    }
    #expect(seen.count > 100)
  }

  @Test("the fake metro keeps frozen rows forever")
  func frozen() async throws {
    let date = Date(timeIntervalSince1970: 1_683_884_209)
    let fake = FakeMetroFeed(
      clock: clock, lines: [],
      frozen: [.init(station: "新埔民生站", destination: "新北產業園區站", date: date)])
    clock.advance(by: .seconds(1_000_000))
    #expect(
      try await rows(stations(fake)) == [
        ["Station": "新埔民生站", "Destination": "新北產業園區站", "UpdateTime": "20230512173649"]
      ])
  }

  @Test(
    "the fake metro writes the open feed in each of its forms",
    arguments: FakeMetroFeed.StationForm.allCases)
  func forms(form: FakeMetroFeed.StationForm) async throws {
    let fake = FakeMetroFeed(clock: clock, stationForm: form)
    let answer = try await fake.send(
      TransportRequest(url: address("https://x/stations.json"), operation: "a"))
    let bytes = try answer.body.bytes()
    switch form {
    case .plain: #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF, UInt8(ascii: "[")]))
    case .resource: #expect(bytes.starts(with: Array("{\"resource\":[{".utf8)))
    case .resourceInBig5:
      #expect(String(validating: bytes, as: UTF8.self) == nil)
      let utf8 = FakeMetroFeed(clock: clock, stationForm: .resource)
      #expect(try await Array(stations(utf8).utf8) == Big5.utf8(bytes))
    case .openData: #expect(bytes.starts(with: Array("{\"result\":{\"limit\":20".utf8)))
    }
    #expect(answer.fields["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
  }

  @Test("the fake metro reports that nothing has changed until something has")
  func notModified() async throws {
    let fake = FakeMetroFeed(clock: clock)
    var request = TransportRequest(url: address("https://x/stations.json"), operation: "a")
    let first = try await fake.send(request)
    request.fields["If-None-Match"] = first.fields["ETag"]
    clock.advance(by: .seconds(20))
    #expect(try await fake.send(request).status == 304)
    clock.advance(by: .seconds(20))
    #expect(try await fake.send(request).status == 200)
  }

  @Test("the fake metro fails and recovers on request")
  func failures() async throws {
    let fake = FakeMetroFeed(clock: clock)
    let request = TransportRequest(url: address("https://x/stations.json"), operation: "a")
    let right = try await fake.send(request).body.bytes()
    for (failure, status, body) in [
      (.webPage, 200, "<!DOCTYPE html>"), (.noRows, 200, "[]"), (.noBody, 200, ""),
      (.serverError, 500, "<html>"), (.cut(after: 5), 200, "\u{FEFF}[{"),
    ] as [(FakeMetroFeed.Failure, Int, String)] {
      fake.fail(failure)
      let answer = try await fake.send(request)
      #expect(answer.status == status)
      #expect(try answer.body.bytes().starts(with: Array(body.utf8)), "\(failure)")
      #expect(try answer.body.bytes() != right)
    }
    fake.fail(nil)
    #expect(try await fake.send(request).body.bytes() == right)
    #expect(fake.requests.count == 7)
  }

  @Test(
    "the fake metro responds with 404 to unknown requests, and with 401 and 405 to forbidden ones")
  func refusals() async throws {
    let fake = FakeMetroFeed(clock: clock, retiredResources: ["old"])
    for (path, status) in [
      ("other", 404), ("api/v1/dataset/old", 404), ("api/v1/dataset/new", 200),
      ("opendata/datalist/apiAccess?rid=old", 404), ("LiveBoard/TRTC", 401), ("Alert/TRTC", 401),
      ("TrackInfo.asmx", 405), ("a/openid-connect/token", 405),
    ] {
      let answer = try await fake.send(
        TransportRequest(url: address("https://x/\(path)"), operation: "a"))
      #expect(answer.status == status, "\(path)")
    }
  }

  @Test("the fake metro is served over loopback")
  func loopback() async throws {
    let fake = FakeMetroFeed(clock: clock)
    let server = try LoopbackServer(serving: fake)
    let text = try await Wire.talk(
      to: server, "GET /stations.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(text.contains("\"Station\":\"") && text.hasSuffix("]"))
    #expect(fake.requests.count == 1)
    await server.stop()
  }
}
