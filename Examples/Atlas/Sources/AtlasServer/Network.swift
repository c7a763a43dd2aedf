import FieldFakes
import FieldKit
import Foundation

/// The state of the network, as set by the page's controls.
enum NetworkMode: String, Codable, Sendable, CaseIterable {
  case normal
  case offline
  case html
  case truncated
  case empty
  case error500
  case slow
  case lying
}

/// The present mode, kept in a file so that it outlives a killed process.
final class NetworkControl: Sendable {
  private let file: URL
  private let state: Locked<NetworkMode>

  init(folder: URL) {
    file = folder.appending(path: "network-mode.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    state = Locked(NetworkMode(rawValue: text) ?? .normal)
  }

  var mode: NetworkMode { state.withLock { $0 } }

  func set(_ mode: NetworkMode) throws {
    state.withLock { $0 = mode }
    try Data(mode.rawValue.utf8).write(to: file, options: .atomic)
  }
}

/// A transport that throws while the page's "offline" control is on.
struct SwitchedTransport: Transport {
  let base: any Transport
  let control: NetworkControl
  let requests: Locked<Int>

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    requests.withLock { $0 += 1 }
    if control.mode == .offline {
      throw FieldError(.offline, "The network is switched off on this page.")
    }
    return try await base.send(request)
  }
}

/// A transport that sends every request to the loopback server, whichever host the address names.
struct RedirectedTransport: Transport {
  let base: any Transport
  let server: URL

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    let query = request.url.query(percentEncoded: true)
    request.url = server.appending(path: request.url.path)
    if let query, var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false) {
      parts.percentEncodedQuery = query
      request.url = parts.url ?? request.url
    }
    return try await base.send(request)
  }
}

/// The internet of this example: the portals that the kits read, on one loopback server, with bad days.
struct Portals: Transport {
  let control: NetworkControl
  let metro: FakeMetroFeed
  let zoo: FakeTaipeiOpenData
  let city: FakeCivicService
  let meteorites: MeteoritePortal
  let socrata: SocrataPortal
  let examples: ExamplePortals

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let mode = control.mode
    var request = request
    if mode != .normal && mode != .slow {
      request.fields["If-None-Match"] = nil
      request.fields["If-Modified-Since"] = nil
    }
    switch mode {
    case .normal, .slow, .offline: return try await answer(request)
    case .html:
      return TransportResponse(
        status: 200, fields: ["Content-Type": "text/html"],
        body: .text("<!DOCTYPE html><title>Sign in</title><p>Please sign in to continue."))
    case .empty: return TransportResponse(status: 200, fields: ["Content-Type": "application/json"])
    case .error500: return TransportResponse(status: 500, body: .text("internal error"))
    case .truncated:
      var answer = try await answer(request)
      let bytes = try answer.body.bytes()
      answer.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
      return TransportResponse(status: 200, body: answer.body)
    case .lying: return try await lie(request)
    }
  }

  private func answer(_ request: TransportRequest) async throws -> TransportResponse {
    if let address = ExampleTransport.address(of: request.url) {
      return try await examples.answer(request, to: address)
    }
    let path = request.url.path
    if path.hasSuffix("/stations.json") { return try await metro.send(request) }
    if path.hasSuffix("/meteorites.json") { return try meteorites.answer(request) }
    if path.hasPrefix("/resource/") || path.hasPrefix("/api/views/") {
      return try await socrata.answer(request)
    }
    if path.hasSuffix("/news.xml") { return CityData.feed(CityData.news) }
    if path.hasSuffix("/activities.xml") { return CityData.feed(CityData.activities) }
    if path.contains("/controller/service") { return try await city.send(request) }
    return try await zoo.send(request)
  }

  /// An answer with a status of 200 and a count that doesn't hold.
  private func lie(_ request: TransportRequest) async throws -> TransportResponse {
    let path = request.url.path
    if ExampleTransport.address(of: request.url) != nil {
      let answer = try await answer(request)
      return ExamplePortals.firstRows(of: answer)
    }
    if path.hasSuffix("/stations.json") {
      return TransportResponse(status: 200, body: .text("[]"))
    }
    if path.hasSuffix("/meteorites.json") {
      return TransportResponse(status: 200, body: .bytes(try meteorites.firstThousand()))
    }
    if path.hasSuffix(".xml") { return CityData.feed("") }
    if path.contains("/controller/service") {
      return TransportResponse(status: 200, body: .text(#"{"result":0,"data":[{"name":"無名"}]}"#))
    }
    var answer = try await answer(request)
    let text = String(decoding: try answer.body.bytes(), as: UTF8.self)
    if text.contains("\"count\"") {
      answer.body = .text(text.replacing(/"count":\s*\d+/, with: "\"count\":9000"))
    }
    return answer
  }
}

/// The server of the meteorites: a real capture, or made-up rows.
final class MeteoritePortal: Sendable {
  private let capture: URL?
  private let rows = Locked<[UInt8]?>(nil)

  init(capture: URL?) { self.capture = capture }

  func answer(_ request: TransportRequest) throws -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "application/json"], body: .bytes(try bytes()))
  }

  func firstThousand() throws -> [UInt8] { SyntheticMeteorites.json(count: 1_000) }

  private func bytes() throws -> [UInt8] {
    try rows.withLock { rows in
      if let rows { return rows }
      let made = try capture.map { [UInt8](try Data(contentsOf: $0)) } ?? SyntheticMeteorites.json()
      rows = made
      return made
    }
  }
}
