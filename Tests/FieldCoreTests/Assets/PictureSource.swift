import FieldCore
import FieldFakes
import Foundation
import TestSupport

/// A source of pictures: any path has one, which tells its path and version in every byte.
final class PictureSource: Transport {
  private struct State {
    var versions: [String: Int] = [:]
    var gone: Set<String> = []
    var requests: [TransportRequest] = []
    var running = 0
    var mostRunning = 0
    var failure: FieldError?
  }

  private let state = Lock(State())
  private let size: @Sendable (String) -> Int

  init(size: @escaping @Sendable (String) -> Int = { _ in 200 }) { self.size = size }

  var requests: [TransportRequest] { state.withLock(\.requests) }
  var count: Int { state.withLock(\.requests.count) }
  var mostRunning: Int { state.withLock(\.mostRunning) }

  /// Makes every exchange fail; nil ends that.
  func fail(_ code: FieldError.Code?) {
    state.withLock { $0.failure = code.map { FieldError($0, "as told") } }
  }

  /// Gives the picture of a path a new version.
  func change(_ path: String) { state.withLock { $0.versions[path, default: 0] += 1 } }

  /// Removes the picture of a path.
  func remove(_ path: String) { state.withLock { _ = $0.gone.insert(path) } }

  /// The bytes of a version: a JPEG as far as its first bytes go.
  static func picture(_ path: String, version: Int = 0, size: Int = 200) -> Data {
    var words = Array("\(path) v\(version);".utf8)
    while words.count < size { words += words }
    return Data(([0xFF, 0xD8, 0xFF, 0xE0] + words).prefix(size))
  }

  func picture(_ path: String, version: Int = 0) -> Data {
    Self.picture(path, version: version, size: size(path))
  }

  /// Whether these are the bytes of a version of the picture of a path, up to the newest.
  func isPicture(_ data: Data, _ path: String) -> Bool {
    let newest = state.withLock { $0.versions[path, default: 0] }
    return (0...newest).contains { picture(path, version: $0) == data }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let failure = state.withLock { state -> FieldError? in
      state.requests.append(request)
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
      return state.failure
    }
    defer { state.withLock { $0.running -= 1 } }
    await Task.yield()
    try Task.checkCancellation()
    if let failure { throw failure }
    let path = request.url.path
    let version = state.withLock { $0.gone.contains(path) ? nil : $0.versions[path, default: 0] }
    guard let version else {
      return try TransportResponse(status: 404).delivered(for: request)
    }
    let tag = "\"\(version)\""
    let fields: HTTPHeaderFields = ["ETag": tag, "Content-Type": "image/jpeg"]
    if request.fields["If-None-Match"] == tag {
      return try TransportResponse(status: 304, fields: fields).delivered(for: request)
    }
    return try TransportResponse(
      status: 200, fields: fields, body: .data(picture(path, version: version))
    ).delivered(for: request)
  }
}

extension AssetRequest {
  /// A picture of the tests.
  static func picture(_ name: String, key: String? = nil) -> AssetRequest {
    AssetRequest(address("http://pictures.test/\(name)"), key: key)
  }
}

/// The files of a cache's directory and their sizes.
func assetFiles(_ directory: URL) -> [String: Int] {
  var files: [String: Int] = [:]
  for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
  where name.hasSuffix(".asset") {
    let path = directory.appending(path: name).path
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    if let size { files[name] = size }
  }
  return files
}
