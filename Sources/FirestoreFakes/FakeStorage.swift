public import FieldCore
public import FieldFakes
public import FieldFirestore
internal import FieldFoundation

/// A bucket of Cloud Storage for Firebase in memory.
///
/// ```swift
/// let fake = FakeStorage()
/// fake["walks/1/photo.jpg"] = jpeg
/// let storage = StorageClient(fake.configuration, transport: fake)
/// ```
///
/// It responds to requests for metadata, downloads with ranges, uploads in one request and in
/// parts, and deletions, on any host. Wrap it in a ``/FieldFakes/FaultTransport`` to simulate failures.
public final class FakeStorage: Transport {
  private struct Object: Sendable {
    var bytes: [UInt8]
    var contentType: String
    var custom: [JSONValue.Member] = []
    var generation: Int64
    var time: FirestoreTimestamp
  }

  private struct Session: Sendable {
    var object: Object
    var name: String
    var size: Int
    var isFinal = false
    var isCancelled = false
  }

  private struct State: Sendable {
    var objects: [String: Object] = [:]
    var sessions: [String: Session] = [:]
    /// The number of sessions that have begun, because a server never uses the address of one again.
    var sessionCount = 0
    var requests: [TransportRequest] = []
    var lastGeneration: Int64 = 1_700_000_000_000_000
    var corruptsDownloads = false
    var validTokens: Set<String>?
  }

  /// The name of the bucket.
  public let bucket: String
  private let clock: any FieldClock
  private let state = Lock(State())

  /// Creates an empty bucket.
  ///
  /// - Parameters:
  ///   - bucket: The name of the bucket.
  ///   - clock: The clock that determines the times of objects. By default, it stands still.
  public init(bucket: String = "demo.appspot.com", clock: any FieldClock = ManualClock()) {
    self.bucket = bucket
    self.clock = clock
  }

  /// A configuration for clients of this bucket.
  public var configuration: StorageConfiguration {
    StorageConfiguration(
      bucket: bucket, tokens: .owner, endpoint: URL(literal: "https://storage.example"))
  }

  /// The content of an object, or `nil` if there is none.
  public subscript(name: String) -> [UInt8]? {
    get { state.withLock { $0.objects[name]?.bytes } }
    set {
      state.withLock { state in
        state.objects[name] = newValue.map { object($0, Self.defaultType, [], &state) }
      }
    }
  }

  private static let defaultType = "application/octet-stream"

  /// A Boolean value that indicates whether downloads begin with a wrong byte.
  ///
  /// Defaults to `false`.
  public var corruptsDownloads: Bool {
    get { state.withLock(\.corruptsDownloads) }
    set { state.withLock { $0.corruptsDownloads = newValue } }
  }

  /// The accepted tokens.
  ///
  /// Defaults to `nil`, which accepts any token and none.
  public var validTokens: Set<String>? {
    get { state.withLock(\.validTokens) }
    set { state.withLock { $0.validTokens = newValue } }
  }

  /// Ends all upload sessions, as a server does after a few days.
  public func endSessions() { state.withLock { $0.sessions = [:] } }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// Responds to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let body = try request.body?.bytes() ?? []
    return try state.withLock { state in
      state.requests.append(request)
      return response(request, body, &state)
    }.delivered(for: request)
  }

  private func object(
    _ bytes: [UInt8], _ contentType: String, _ custom: [JSONValue.Member], _ state: inout State
  ) -> Object {
    state.lastGeneration += 1
    return Object(
      bytes: bytes, contentType: contentType, custom: custom, generation: state.lastGeneration,
      time: FirestoreTimestamp(clock.now))
  }

  // MARK: Responses

  private func response(
    _ request: TransportRequest, _ body: [UInt8], _ state: inout State
  ) -> TransportResponse {
    let address = request.url.absoluteString.prefix { $0 != "?" }
    let root = "/v0/b/\(PercentEncoding.component(bucket))/o"
    guard let range = address.firstRange(of: root) else { return Self.error(404, "Not Found") }
    let object = PercentEncoding.decoded(address[range.upperBound...].dropFirst())
    let parameters = request.query
    if let id = parameters["upload_id"] { return continued(id, request, body, &state) }
    if let valid = state.validTokens, !valid.contains(request.bearer ?? "") {
      return Self.error(401, "Unauthenticated")
    }
    switch (request.method, request.fields["X-Goog-Upload-Protocol"]) {
    case (.post, "multipart"?): return multipart(request, body, &state)
    case (.post, "resumable"?):
      return begun(parameters["name"] ?? "", request, address, body, &state)
    case (.get, _):
      guard let found = state.objects[object] else { return Self.error(404, "Not Found.") }
      guard parameters["alt"] == "media" else { return metadata(object, found) }
      return content(found, request.fields["Range"], state.corruptsDownloads)
    case (.delete, _):
      let old = state.objects.removeValue(forKey: object)
      return old == nil ? Self.error(404, "Not Found.") : TransportResponse(status: 204)
    default: return Self.error(501, "The fake doesn't know the request.")
    }
  }

  private static func error(_ status: Int, _ message: String) -> TransportResponse {
    .json(
      ["error": ["code": .number(String(status)), "message": .string(message)]], status: status)
  }

  private func metadata(_ name: String, _ object: Object) -> TransportResponse {
    let checksum = CRC32C.checksum(object.bytes, 0..<object.bytes.count)
    let checksumBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> UInt32($0)) }
    var json: JSONValue = [
      "name": .string(name), "bucket": .string(bucket),
      "generation": .string(String(object.generation)),
      "size": .string(String(object.bytes.count)), "contentType": .string(object.contentType),
      "timeCreated": .string(object.time.description),
      "updated": .string(object.time.description),
      "crc32c": .string(Data(checksumBytes).base64EncodedString()),
      "downloadTokens": "11111111-2222-3333-4444-555555555555",
    ]
    if !object.custom.isEmpty { json["metadata"] = .object(object.custom) }
    return .json(json)
  }

  private func content(_ object: Object, _ range: String?, _ isCorrupt: Bool) -> TransportResponse {
    var bytes = object.bytes
    var fields: HTTPHeaderFields = [
      "Content-Type": object.contentType, "X-Goog-Generation": String(object.generation),
    ]
    var status = 200
    let bounds = range?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    if let bounds, bounds.count == 2 {
      guard bounds[0] < bytes.count, bounds[0] <= bounds[1] else {
        return Self.error(416, "The requested range cannot be satisfied.")
      }
      let end = min(bounds[1] + 1, bytes.count)
      fields["Content-Range"] = "bytes \(bounds[0])-\(end - 1)/\(bytes.count)"
      bytes = Array(bytes[bounds[0]..<end])
      status = 206
    }
    if isCorrupt, !bytes.isEmpty { bytes[0] ^= 1 }
    return TransportResponse(status: status, fields: fields, body: .bytes(bytes))
  }

  // MARK: Uploads

  private static func described(
    _ json: [UInt8]
  ) -> (name: String, contentType: String, custom: [JSONValue.Member])? {
    guard let value = try? JSONDocument.value(json), let name = value["name"]?.string else {
      return nil
    }
    var custom: [JSONValue.Member] = []
    if case .object(let members)? = value["metadata"] { custom = members }
    return (name, value["contentType"]?.string ?? defaultType, custom)
  }

  private func multipart(
    _ request: TransportRequest, _ body: [UInt8], _ state: inout State
  ) -> TransportResponse {
    let boundary = request.fields["Content-Type"]?.split(separator: "boundary=").last ?? ""
    let end = Array("\r\n--\(boundary)--".utf8)
    let gap = Array("\r\n--\(boundary)\r\n".utf8)
    let blank = Array("\r\n\r\n".utf8)
    guard body.starts(with: Array("--\(boundary)\r\n".utf8)),
      body.suffix(end.count).elementsEqual(end), let first = body.firstRange(of: blank),
      let next = body[first.upperBound...].firstRange(of: gap),
      let second = body[next.upperBound...].firstRange(of: blank),
      let described = Self.described(Array(body[first.upperBound..<next.lowerBound]))
    else { return Self.error(400, "The parts can't be read.") }
    let object = object(
      Array(body[second.upperBound..<(body.count - end.count)]), described.contentType,
      described.custom, &state)
    state.objects[described.name] = object
    return metadata(described.name, object)
  }

  private func begun(
    _ name: String, _ request: TransportRequest, _ address: Substring, _ body: [UInt8],
    _ state: inout State
  ) -> TransportResponse {
    let length = request.fields["X-Goog-Upload-Header-Content-Length"].flatMap { Int($0) }
    guard let length, let described = Self.described(body), described.name == name else {
      return Self.error(400, "The upload can't be begun.")
    }
    state.sessionCount += 1
    let id = "session-\(state.sessionCount)"
    state.sessions[id] = Session(
      object: object([], described.contentType, described.custom, &state), name: name, size: length)
    return TransportResponse(
      status: 200,
      fields: [
        "X-Goog-Upload-Status": "active", "X-Goog-Upload-URL": "\(address)?upload_id=\(id)",
        "X-Goog-Upload-Chunk-Granularity": "256",
      ])
  }

  private func continued(
    _ id: String, _ request: TransportRequest, _ body: [UInt8], _ state: inout State
  ) -> TransportResponse {
    guard var session = state.sessions[id] else { return Self.error(410, "Gone.") }
    defer { state.sessions[id] = session }
    let command = request.fields["X-Goog-Upload-Command"] ?? ""
    if command == "cancel" {
      session.isCancelled = true
      return TransportResponse(status: 200)
    }
    if session.isCancelled {
      return TransportResponse(status: 200, fields: ["X-Goog-Upload-Status": "cancelled"])
    }
    if command.contains("upload"), !session.isFinal {
      guard request.fields["X-Goog-Upload-Offset"] == String(session.object.bytes.count) else {
        return Self.error(503, "The offset isn't the next one.")
      }
      guard command.contains("finalize") || body.count % 256 == 0 else {
        return Self.error(400, "The part isn't a multiple of the granularity.")
      }
      session.object.bytes += body
      if command.contains("finalize") {
        guard session.object.bytes.count == session.size else {
          return Self.error(400, "The upload isn't whole.")
        }
        session.isFinal = true
        state.objects[session.name] = session.object
        var response = metadata(session.name, session.object)
        response.head.fields["X-Goog-Upload-Status"] = "final"
        return response
      }
    }
    return TransportResponse(
      status: 200,
      fields: [
        "X-Goog-Upload-Status": session.isFinal ? "final" : "active",
        "X-Goog-Upload-Size-Received": String(session.object.bytes.count),
      ])
  }
}
