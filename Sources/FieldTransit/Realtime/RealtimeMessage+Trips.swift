internal import FieldCore

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
