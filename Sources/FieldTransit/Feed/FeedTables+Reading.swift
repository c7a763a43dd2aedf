internal import FieldCore

extension FeedTables {
  /// Reads the files of a feed.
  ///
  /// - Parameter includesShapes: Whether to read `shapes.txt`.
  /// - Throws: ``/FieldCore/FieldError`` if a file that the feed needs is missing or can't be read.
  init(_ files: FeedFiles, includingShapes includesShapes: Bool) throws(FieldError) {
    try readAgencies(files)
    try readStops(files)
    try readRoutes(files)
    try readCalendar(files)
    if includesShapes { try readShapes(files) }
    try readTrips(files)
    try readFrequencies(files)
    try readTransfers(files)
    try readInfo(files)
    try readTranslations(files)
    try readStopTimes(files)
  }

  private static func needed(_ name: String, _ files: FeedFiles) throws(FieldError) -> FeedFile {
    guard let file = try files.file(name) else {
      throw FieldError(.schema, "The feed has no \(name), so there are no journeys in it.")
    }
    return file
  }

  /// Returns the number of a cell's text, or `none` if it is empty.
  private mutating func string(_ row: FeedRow, _ column: Int) -> UInt32 {
    row.isEmpty(column) ? Self.none : row.withBytes(column) { strings.insert($0).number }
  }

  private mutating func readAgencies(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("agency.txt") else { return }
    var log = log
    try file.forEachRow(
      ["agency_id", "agency_name", "agency_url", "agency_timezone"], required: 0, &log
    ) { row, log in
      if !row.isEmpty(3) {
        let zone = row.text(3)
        if self.zone.isEmpty { self.zone = zone }
        if zone != self.zone {
          log.add("its zone isn't that of the first agency, \(self.zone)", row, file)
        }
      }
      guard row.withBytes(0, { agencyIDs.insert($0).isNew }) else { return }
      agencies.append((string(row, 1), string(row, 2)))
    }
    self.log = log
  }

  private mutating func readStops(_ files: FeedFiles) throws(FieldError) {
    let file = try Self.needed("stops.txt", files)
    var log = log
    var parents: [(stop: Int, parent: String)] = []
    let columns = [
      "stop_id", "stop_name", "stop_code", "platform_code", "stop_lat", "stop_lon",
      "location_type", "wheelchair_boarding", "parent_station",
    ]
    try file.forEachRow(columns, required: 1, &log) { row, log in
      guard !row.isEmpty(0) else { return log.add("it has no stop_id", row, file) }
      guard row.withBytes(0, { stopIDs.insert($0).isNew }) else {
        return log.add("another stop has this stop_id", key: row.text(0), row, file)
      }
      var stop = Stop(
        name: string(row, 1), code: string(row, 2), platform: string(row, 3))
      if let latitude = row.degrees(4, upTo: 90), let longitude = row.degrees(5, upTo: 180) {
        (stop.latitude, stop.longitude) = (latitude, longitude)
      }
      stop.kind = UInt8(clamping: row.number(6) ?? 0)
      stop.wheelchair = UInt8(clamping: row.number(7) ?? 0)
      if !row.isEmpty(8) { parents.append((stops.count, row.text(8))) }
      stops.append(stop)
    }
    for (stop, parent) in parents {
      if let number = parent.withUTF8Span({ stopIDs.number(of: $0) }), Int(number) != stop {
        stops[stop].parent = number
      }
    }
    self.log = log
  }

  private mutating func readRoutes(_ files: FeedFiles) throws(FieldError) {
    let file = try Self.needed("routes.txt", files)
    var log = log
    let columns = [
      "route_id", "route_type", "route_short_name", "route_long_name", "agency_id", "route_color",
      "route_text_color",
    ]
    try file.forEachRow(columns, required: 1, &log) { row, log in
      guard !row.isEmpty(0) else { return log.add("it has no route_id", row, file) }
      guard row.withBytes(0, { routeIDs.insert($0).isNew }) else {
        return log.add("another route has this route_id", key: row.text(0), row, file)
      }
      routes.append(
        Route(
          shortName: string(row, 2), longName: string(row, 3),
          agency: row.withBytes(4) { agencyIDs.number(of: $0) }
            ?? (agencies.count == 1 ? 0 : Self.none),
          type: row.number(1) ?? -1, color: Self.color(row, 5), textColor: Self.color(row, 6)))
    }
    self.log = log
  }

  private static func color(_ row: FeedRow, _ column: Int) -> UInt32 {
    let text = row.text(column)
    return text.utf8.count == 6 ? UInt32(text, radix: 16) ?? none : none
  }

  private mutating func readCalendar(_ files: FeedFiles) throws(FieldError) {
    var log = log
    let days = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    if let file = try files.file("calendar.txt") {
      try file.forEachRow(["service_id", "start_date", "end_date"] + days, required: 3, &log) {
        row, log in
        guard let start = row.day(1), let end = row.day(2) else {
          return log.add("its dates aren't days", key: row.text(0), row, file)
        }
        let service = service(row)
        for day in 0..<7 where row.number(3 + day) == 1 { services[service].weekdays |= 1 << day }
        (services[service].start, services[service].end) = (start, end)
      }
    }
    if let file = try files.file("calendar_dates.txt") {
      try file.forEachRow(["service_id", "date", "exception_type"], required: 3, &log) { row, log in
        guard let day = row.day(1), let type = row.number(2), type == 1 || type == 2 else {
          return log.add("its date or exception_type is invalid", key: row.text(0), row, file)
        }
        services[service(row)].exceptions.append(.init(day: day, isAdded: type == 1))
      }
    }
    for place in services.indices {
      // Of several exceptions for one day, the last one counts.
      var last: [Int32: Bool] = [:]
      for exception in services[place].exceptions { last[exception.day] = exception.isAdded }
      services[place].exceptions =
        last
        .map { .init(day: $0.key, isAdded: $0.value) }
        .sorted { $0.day < $1.day }
    }
    self.log = log
  }

  private mutating func service(_ row: FeedRow) -> Int {
    let (number, isNew) = row.withBytes(0) { serviceIDs.insert($0) }
    if isNew { services.append(Service()) }
    return Int(number)
  }

  private mutating func readTrips(_ files: FeedFiles) throws(FieldError) {
    let file = try Self.needed("trips.txt", files)
    var log = log
    let columns = [
      "trip_id", "route_id", "service_id", "trip_headsign", "trip_short_name", "block_id",
      "direction_id", "wheelchair_accessible", "bikes_allowed", "shape_id",
    ]
    try file.forEachRow(columns, required: 3, &log) { row, log in
      guard !row.isEmpty(0) else { return log.add("it has no trip_id", row, file) }
      guard row.withBytes(0, { tripIDs.insert($0).isNew }) else {
        return log.add("another trip has this trip_id", key: row.text(0), row, file)
      }
      let route = row.withBytes(1) { routeIDs.number(of: $0) }
      let service = row.withBytes(2) { serviceIDs.number(of: $0) }
      var trip = Trip(
        route: route ?? Self.none, service: service ?? Self.none, headsign: string(row, 3),
        shortName: string(row, 4), block: string(row, 5),
        direction: UInt8(clamping: row.number(6) ?? 255),
        wheelchair: UInt8(clamping: row.number(7) ?? 0),
        bikes: UInt8(clamping: row.number(8) ?? 0),
        shape: row.withBytes(9) { shapeIDs.number(of: $0) } ?? Self.none)
      if route == nil || service == nil {
        trip.isUsable = false
        log.report.unusableTripCount += 1
        log.add(
          route == nil
            ? "its route doesn't exist: \(row.text(1))" : "its service has no days: \(row.text(2))",
          key: row.text(0), row, file)
      }
      trips.append(trip)
    }
    log.report.tripCount = trips.count
    self.log = log
  }

  private mutating func readFrequencies(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("frequencies.txt") else { return }
    var log = log
    let columns = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]
    try file.forEachRow(columns, required: 4, &log) { row, log in
      guard let trip = row.withBytes(0, { tripIDs.number(of: $0) }) else {
        return log.add("its trip doesn't exist", key: row.text(0), row, file)
      }
      guard let start = row.seconds(1), let end = row.seconds(2), let headway = row.number(3),
        headway > 0
      else { return log.add("its times or headway are invalid", key: row.text(0), row, file) }
      frequencies.append(
        Frequency(
          trip: trip, start: start, end: end, headway: headway, isExact: row.number(4) == 1))
    }
    self.log = log
  }

  private mutating func readInfo(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("feed_info.txt") else { return }
    var log = log
    let columns = ["feed_publisher_name", "feed_version", "feed_start_date", "feed_end_date"]
    try file.forEachRow(columns, required: 0, &log) { row, _ in
      (publisher, version) = (string(row, 0), string(row, 1))
      (start, end) = (row.day(2), row.day(3))
    }
    self.log = log
  }
}

extension FeedTables {
  /// Reads the points of the shapes, in their order.
  mutating func readShapes(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("shapes.txt") else { return }
    var log = log
    var rows: [(shape: UInt32, sequence: Int32, latitude: Int32, longitude: Int32)] = []
    let columns = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]
    try file.forEachRow(columns, required: 4, &log) { row, log in
      guard let latitude = row.degrees(1, upTo: 90), let longitude = row.degrees(2, upTo: 180),
        let sequence = row.number(3), !row.isEmpty(0)
      else { return log.add("it has no location or sequence", key: row.text(0), row, file) }
      let shape = row.withBytes(0) { shapeIDs.insert($0).number }
      rows.append((shape, sequence, latitude, longitude))
    }
    rows.sort { ($0.shape, $0.sequence) < ($1.shape, $1.sequence) }
    shapePoints = rows.map { ($0.latitude, $0.longitude) }
    shapeStarts = [UInt32](repeating: 0, count: shapeIDs.count + 1)
    for row in rows { shapeStarts[Int(row.shape) + 1] += 1 }
    for shape in 0..<shapeIDs.count { shapeStarts[shape + 1] += shapeStarts[shape] }
    self.log = log
  }
}
