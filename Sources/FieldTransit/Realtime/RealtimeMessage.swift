public import FieldCore
public import FieldFoundation

/// A message of GTFS Realtime: delays and cancellations, the positions of vehicles, and alerts.
///
/// ```swift
/// let message = try await RealtimeMessage(from: url, transport: transport)
/// let live = timetable.applying([message], at: .now)
/// for departure in try live.departures(at: "127", from: .now) {
///   print(departure.time, departure.predictedAt as Any)
/// }
/// ```
///
/// Fields that the specification doesn't have, or that this version doesn't know, are skipped. A message that is truncated,
/// or isn't one, ends in an error.
public struct RealtimeMessage: Sendable {
  let bytes: [UInt8]
  /// The moment at which the source made the message, in seconds since 1970.
  private(set) var timestamp: Int64?
  private(set) var trips: [TripUpdate] = []
  /// The stops of all trips.
  private(set) var stops: [TripUpdate.Stop] = []

  /// The moment at which the source made the message; `nil` if it doesn't say.
  public var date: Date? { timestamp.map { Date(timeIntervalSince1970: Double($0)) } }
  /// The number of trips about which the message says something.
  public var tripCount: Int { trips.count }
  /// The vehicles and their positions.
  public private(set) var vehicles: [TransitVehicle] = []
  /// The alerts.
  public private(set) var alerts: [TransitAlert] = []

  /// Creates a message from its bytes.
  ///
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/emptyBody`` if there are no bytes,
  ///   ``/FieldCore/FieldError/Code/cut`` if the message is truncated, ``/FieldCore/FieldError/Code/malformed`` if it violates the format of
  ///   Protocol Buffers, and ``/FieldCore/FieldError/Code/notData`` if it is a page, or has no header.
  public init(_ bytes: [UInt8]) throws(FieldError) {
    self.bytes = bytes
    guard !bytes.isEmpty else {
      throw FieldError(.emptyBody, "The message of GTFS Realtime is empty. Check its URL.")
    }
    // No message begins with either: they would be a group, and the end of one.
    guard bytes[0] != UInt8(ascii: "<"), bytes[0] != UInt8(ascii: "{") else {
      throw FieldError(
        .notData,
        "This is a page or JSON, and not a message of GTFS Realtime. The URL may have moved, or needs a key."
      )
    }
    var (reader, hasHeader) = (WireReader(bytes), false)
    while let field = try reader.next() {
      switch (field.number, field.range) {
      case (1, let range?):
        hasHeader = true
        try readHeader(range)
      case (2, let range?): try readEntity(range)
      default: break
      }
    }
    guard hasHeader else {
      throw FieldError(
        .notData,
        "This isn't a message of GTFS Realtime, because it has no header. Check its URL.")
    }
  }

  /// Creates a message by downloading it, with the request operation `transit.realtime`.
  ///
  /// - Parameters:
  ///   - url: The URL of the message.
  ///   - transport: The transport to download with, which sends one request.
  ///   - fields: Additional header fields to send, such as an API key.
  ///   - timeout: The time limit. Defaults to 20 seconds.
  /// - Throws: ``/FieldCore/FieldError`` with a `transport.…` or `http.…` code if there is no message, or with a code of ``init(_:)`` if
  ///   it can't be read.
  @concurrent
  public init(
    from url: URL, transport: any Transport, fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(20)
  ) async throws {
    let operation = "transit.realtime"
    let request = TransportRequest(
      url: url, fields: fields, timeout: timeout, responseLimit: 64 << 20, operation: operation)
    let response = try await FieldError.wrapping(
      "The transport failed. See the underlying error.", as: .transport, operation: operation
    ) { try await transport.send(request) }
    try response.checkStatus(operation: operation)
    let bytes = try response.body.bytes()
    self = try FieldError.during(operation) { () throws(FieldError) in
      try RealtimeMessage([UInt8](bytes))
    }
  }

  private mutating func readHeader(_ range: Range<Int>) throws(FieldError) {
    var reader = WireReader(bytes, in: range)
    while let field = try reader.next() {
      // Some sources write 0 where they don't know it.
      if field.number == 3, let time = field.int64, time > 0 { timestamp = time }
    }
  }

  private mutating func readEntity(_ range: Range<Int>) throws(FieldError) {
    var (reader, id, isDeleted) = (WireReader(bytes, in: range), "", false)
    let counts = (trips.count, stops.count, vehicles.count, alerts.count)
    while let field = try reader.next() {
      switch (field.number, field.range) {
      case (1, let range?): id = text(range)
      case (2, nil): isDeleted = field.bool ?? isDeleted
      case (3, let range?): trips.append(try tripUpdate(range, &stops))
      case (4, let range?): vehicles.append(try vehicle(range))
      case (5, let range?): alerts.append(try alert(range))
      default: break
      }
    }
    if isDeleted {
      trips.removeLast(trips.count - counts.0)
      stops.removeLast(stops.count - counts.1)
      vehicles.removeLast(vehicles.count - counts.2)
      alerts.removeLast(alerts.count - counts.3)
    }
    for place in counts.3..<alerts.count { alerts[place].id = id }
  }

  /// Returns a text of the message. What isn't UTF-8 is replaced.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self).streamSafe
  }
}
