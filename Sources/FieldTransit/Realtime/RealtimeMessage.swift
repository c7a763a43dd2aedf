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

// MARK: - Alerts

extension RealtimeMessage {
  /// Reads a `VehiclePosition`.
  func vehicle(_ range: Range<Int>) throws(FieldError) -> TransitVehicle {
    var (reader, vehicle) = (WireReader(bytes, in: range), TransitVehicle())
    while let field = try reader.next() {
      switch (field.number, field.range) {
      case (1, let range?):
        let trip = try selector(range)
        (vehicle.tripID, vehicle.routeID) = (trip.tripID.map(text), trip.routeID.map(text))
      case (2, let range?): try readPosition(range, &vehicle)
      case (4, nil):
        vehicle.status = field.uint32.flatMap { Int(exactly: $0) }.flatMap(
          TransitVehicle.Status.init)
      case (5, nil): vehicle.date = Self.date(field.number64)
      case (7, _): vehicle.stopID = nonempty(field).map(text)
      case (8, let range?): try readDescriptor(range, &vehicle)
      default: break
      }
    }
    return vehicle
  }

  private static func date(_ seconds: UInt64?) -> Date? {
    seconds.flatMap { $0 == 0 ? nil : Date(timeIntervalSince1970: Double($0)) }
  }

  private func readPosition(
    _ range: Range<Int>, _ vehicle: inout TransitVehicle
  ) throws(FieldError) {
    var (reader, latitude, longitude) = (WireReader(bytes, in: range), Float?.none, Float?.none)
    while let field = try reader.next() {
      switch field.number {
      case 1: latitude = field.float
      case 2: longitude = field.float
      case 3: vehicle.bearing = field.float.map(Double.init)
      case 5: vehicle.speed = field.float.map(Double.init)
      default: break
      }
    }
    // A vehicle without a receiver is often said to be where the equator meets Greenwich.
    if let latitude, let longitude, latitude != 0 || longitude != 0 {
      vehicle.coordinate = try? Coordinate(
        latitude: Double(latitude), longitude: Double(longitude))
    }
  }

  private func readDescriptor(
    _ range: Range<Int>, _ vehicle: inout TransitVehicle
  ) throws(FieldError) {
    var reader = WireReader(bytes, in: range)
    while let field = try reader.next() {
      switch field.number {
      case 1: vehicle.id = nonempty(field).map(text)
      case 2: vehicle.label = nonempty(field).map(text)
      case 3: vehicle.licensePlate = nonempty(field).map(text)
      default: break
      }
    }
  }

  // MARK: Alerts

  /// Reads an `Alert`, whose ID is elsewhere.
  func alert(_ range: Range<Int>) throws(FieldError) -> TransitAlert {
    var (reader, alert) = (WireReader(bytes, in: range), TransitAlert(id: ""))
    while let field = try reader.next() {
      switch (field.number, field.range) {
      case (1, let range?): if let period = try period(range) { alert.periods.append(period) }
      case (5, let range?): alert.subjects.append(try subject(range))
      // 1 is an unknown cause, and 8 is an unknown effect.
      case (6, nil): alert.cause = field.uint32.flatMap { $0 == 1 ? nil : Int(exactly: $0) }
      case (7, nil): alert.effect = field.uint32.flatMap { $0 == 8 ? nil : Int(exactly: $0) }
      case (8, let range?): alert.links = try translations(range)
      case (10, let range?): alert.titles = try translations(range)
      case (11, let range?): alert.texts = try translations(range)
      default: break
      }
    }
    return alert
  }

  /// Reads a `TimeRange`, whose ends are open where they are missing.
  private func period(_ range: Range<Int>) throws(FieldError) -> Range<Date>? {
    var (reader, start, end) = (WireReader(bytes, in: range), Date.distantPast, Date.distantFuture)
    while let field = try reader.next() {
      switch field.number {
      case 1: start = Self.date(field.number64) ?? start
      case 2: end = Self.date(field.number64) ?? end
      default: break
      }
    }
    return start <= end ? start..<end : nil
  }

  private func subject(_ range: Range<Int>) throws(FieldError) -> TransitAlert.Subject {
    var (reader, subject) = (WireReader(bytes, in: range), TransitAlert.Subject())
    while let field = try reader.next() {
      switch (field.number, field.range) {
      case (1, _): subject.agencyID = nonempty(field).map(text)
      case (2, _): subject.routeID = nonempty(field).map(text)
      case (3, nil): subject.mode = field.int32.map { TransitMode(rawValue: Int($0)) }
      case (4, let range?):
        let trip = try selector(range)
        subject.tripID = trip.tripID.map(text)
        subject.routeID = subject.routeID ?? trip.routeID.map(text)
      case (5, _): subject.stopID = nonempty(field).map(text)
      default: break
      }
    }
    return subject
  }

  /// Reads a `TranslatedString`.
  private func translations(_ range: Range<Int>) throws(FieldError) -> [String: String] {
    var (reader, texts) = (WireReader(bytes, in: range), [String: String]())
    while let field = try reader.next() {
      guard field.number == 1, let range = field.range else { continue }
      var (part, text, language) = (WireReader(bytes, in: range), "", "")
      while let field = try part.next() {
        switch (field.number, field.range) {
        case (1, let range?): text = self.text(range)
        case (2, let range?): language = self.text(range)
        default: break
        }
      }
      texts[language] = text
    }
    return texts
  }
}

// MARK: - Trips

extension RealtimeMessage {
  /// Reads a `TripUpdate`, whose stops are appended to a list.
  func tripUpdate(
    _ range: Range<Int>, _ stops: inout [TripUpdate.Stop]
  ) throws(FieldError) -> TripUpdate {
    var (reader, update) = (WireReader(bytes, in: range), TripUpdate())
    let first = stops.count
    while let field = try reader.next() {
      switch (field.number, field.range) {
      case (1, let range?): update.trip = try selector(range)
      case (2, let range?): stops.append(try stop(range))
      case (3, let range?): update.wheelchair = try wheelchair(range)
      case (4, nil): update.measured = field.int64.flatMap { $0 > 0 ? $0 : nil }
      case (5, nil): update.delay = field.int32
      case (6, let range?): try readProperties(range, &update)
      default: break
      }
    }
    update.stops = first..<stops.count
    return update
  }

  /// Reads a `TripDescriptor`.
  func selector(_ range: Range<Int>) throws(FieldError) -> TripUpdate.Selector {
    var (reader, trip) = (WireReader(bytes, in: range), TripUpdate.Selector())
    while let field = try reader.next() {
      switch field.number {
      case 1: trip.tripID = nonempty(field)
      case 2: trip.startTime = nonempty(field)
      case 3: trip.startDate = nonempty(field)
      case 4: trip.kind = field.uint32.map { TripUpdate.Kind($0) } ?? trip.kind
      case 5: trip.routeID = nonempty(field)
      case 6: trip.direction = field.uint32
      default: break
      }
    }
    return trip
  }

  /// Returns the range of a text that isn't empty.
  func nonempty(_ field: WireReader.Field) -> Range<Int>? {
    field.range.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func stop(_ range: Range<Int>) throws(FieldError) -> TripUpdate.Stop {
    var (reader, stop) = (WireReader(bytes, in: range), TripUpdate.Stop())
    while let field = try reader.next() {
      switch (field.number, field.range) {
      case (1, nil): stop.sequence = field.uint32
      case (2, let range?): stop.arrival = try event(range)
      case (3, let range?): stop.departure = try event(range)
      case (4, _): stop.stopID = nonempty(field)
      case (5, nil): (stop.isSkipped, stop.hasNoData) = (field.uint32 == 1, field.uint32 == 2)
      case (6, let range?): try readProperties(range, &stop)
      default: break
      }
    }
    return stop
  }

  private func event(_ range: Range<Int>) throws(FieldError) -> TripUpdate.Event {
    var (reader, event) = (WireReader(bytes, in: range), TripUpdate.Event())
    while let field = try reader.next() {
      switch field.number {
      case 1: event.delay = field.int32
      case 2: event.time = field.int64
      default: break
      }
    }
    // Some sources write 0 where they don't know the time.
    if event.time == 0 { event.time = nil }
    return event
  }

  /// Reads `StopTimeProperties`.
  private func readProperties(
    _ range: Range<Int>, _ stop: inout TripUpdate.Stop
  ) throws(FieldError) {
    var reader = WireReader(bytes, in: range)
    while let field = try reader.next() {
      switch field.number {
      case 1: stop.assignedStopID = nonempty(field)
      // As in stop_times.txt, other numbers than 0 need an arrangement.
      case 3: stop.mayBoard = field.uint32.map { $0 == 0 }
      case 4: stop.mayAlight = field.uint32.map { $0 == 0 }
      default: break
      }
    }
  }

  /// Reads `TripProperties`.
  private func readProperties(
    _ range: Range<Int>, _ update: inout TripUpdate
  ) throws(FieldError) {
    var reader = WireReader(bytes, in: range)
    while let field = try reader.next() {
      switch field.number {
      case 1: update.newTripID = nonempty(field)
      case 2: update.newStartDate = nonempty(field)
      case 3: update.newStartTime = nonempty(field)
      case 5: update.headsign = nonempty(field)
      default: break
      }
    }
  }

  /// Reads a `VehicleDescriptor`, for what it says about wheelchairs.
  private func wheelchair(_ range: Range<Int>) throws(FieldError) -> UInt32? {
    var (reader, value) = (WireReader(bytes, in: range), UInt32?.none)
    while let field = try reader.next() {
      // 2 is accessible, and 3 is inaccessible; feeds have 1 and 2 for them.
      if field.number == 4, let number = field.uint32 {
        value = number == 2 || number == 3 ? number - 1 : nil
      }
    }
    return value
  }
}
