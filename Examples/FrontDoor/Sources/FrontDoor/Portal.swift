import FieldKit
import Foundation

/// NASA's portal and the metro's feed, as far as the front door needs them.
struct Portal: Transport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.url.path.hasSuffix("/stations.json") {
      return HTTPResponse(status: 200, body: .text(Self.arrivals(now: Date())))
    }
    guard request.url.path.hasSuffix("/download") else { return HTTPResponse(status: 404) }
    return HTTPResponse(status: 200, fields: ["ETag": "\"1\""], body: .text(Self.rows))
  }

  /// A train of long ago, and one of just now.
  private static func arrivals(now: Date) -> String {
    var style = Date.ISO8601FormatStyle(timeZone: TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt)
    style = style.year().month().day().time(includingFractionalSeconds: false)
    let time = now.formatted(style.dateSeparator(.omitted).timeSeparator(.omitted)).filter(\.isNumber)
    return """
      [{"Station":"台北車站","Destination":"淡水站","UpdateTime":"2016-05-16T18:00:51.953"},
       {"Station":"大安站","Destination":"象山站","UpdateTime":"\(time)"}]
      """
  }

  private static let rows = """
    [{"name":"Košice","id":"53810","nametype":"Valid","recclass":"H5","mass":"4300","fall":"Fell",
      "year":"2010-01-01T00:00:00.000","reclat":"48.763330","reclong":"21.176390"},
     {"name":"Chelyabinsk","id":"57165","nametype":"Valid","recclass":"LL5","mass":"100000","fall":"Fell",
      "year":"2013-01-01T00:00:00.000","reclat":"54.816670","reclong":"61.116670"},
     {"name":"Thika","id":"54493","nametype":"Valid","recclass":"L6","mass":"14200","fall":"Fell",
      "year":"2011-01-01T00:00:00.000","reclat":"-1.002780","reclong":"37.150280"}]
    """
}

/// Sends every request to a server on this machine instead, over a real HTTP client.
struct Rerouted: Transport {
  private let base: URL
  private let client = URLSessionTransport()

  init(to base: URL) { self.base = base }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.url = base.appending(path: request.url.path)
    return try await client.send(request)
  }
}
