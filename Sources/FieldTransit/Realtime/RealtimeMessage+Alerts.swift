internal import FieldCore
internal import FieldFoundation

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
