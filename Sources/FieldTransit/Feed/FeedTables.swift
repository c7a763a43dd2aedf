internal import FieldCore

/// The content of a feed, with numbers in place of IDs.
struct FeedTables {
  /// A number that stands for nothing.
  static let none = UInt32.max

  struct Stop {
    var name: UInt32, code: UInt32, platform: UInt32
    /// In units of 1e-7 degrees; `Int32.min` if unknown.
    var latitude = Int32.min, longitude = Int32.min
    /// The value of `location_type`.
    var kind: UInt8 = 0
    /// The value of `wheelchair_boarding`.
    var wheelchair: UInt8 = 0
    var parent = FeedTables.none
  }

  struct Route {
    var shortName: UInt32, longName: UInt32, agency: UInt32
    var type: Int32
    /// The colors of the background and of the text, in 24 bits, or `none`.
    var color: UInt32, textColor: UInt32
  }

  struct Trip {
    var route: UInt32, service: UInt32, headsign: UInt32, shortName: UInt32, block: UInt32
    var direction: UInt8, wheelchair: UInt8, bikes: UInt8
    var shape: UInt32
    var isUsable = true
  }

  struct Service: Hashable {
    /// A bit for each day of the week, the lowest for Monday.
    var weekdays: UInt8 = 0
    var start = Int32.max, end = Int32.min
    /// The days added and removed, by day; those that repeat the rule don't matter.
    var exceptions: [Exception] = []

    /// The days on which it runs, of the first hundred years.
    var days: Set<Int32> {
      var days: Set<Int32> = []
      if weekdays != 0, start <= end {
        days.formUnion(Self.days(weekdays, in: start...min(end, start + 36_600)))
      }
      for exception in exceptions {
        if exception.isAdded { days.insert(exception.day) } else { days.remove(exception.day) }
      }
      return days
    }

    /// Returns those of some days that are given days of the week.
    static func days(_ weekdays: UInt8, in range: ClosedRange<Int32>) -> some Sequence<Int32> {
      range.lazy.filter { weekdays >> TimetableContents.weekday(of: $0) & 1 == 1 }
    }

    struct Exception: Hashable {
      var day: Int32
      var isAdded: Bool
    }
  }

  /// A row of `stop_times.txt`.
  struct StopTime {
    var trip: UInt32, stop: UInt32
    var sequence: Int32
    /// In seconds; -1 if unknown.
    var arrival: Int32, departure: Int32
    /// 1 if passengers may board, and 2 if they may alight.
    var flags: UInt8
  }

  struct Frequency {
    var trip: UInt32
    var start: Int32, end: Int32, headway: Int32
    var isExact: Bool
  }

  /// A rule for changing between stops, for all trips or for those of certain routes or trips.
  struct Transfer {
    /// Where passengers alight or board, and of which trips; `none` stands for all.
    struct End {
      var stop: UInt32
      var route = FeedTables.none, trip = FeedTables.none
      var isSpecific: Bool { route != FeedTables.none || trip != FeedTables.none }
    }

    var from: End, to: End
    var type: Int32
    /// In seconds; -1 if unknown.
    var time: Int32

    var isSpecific: Bool { from.isSpecific || to.isSpecific }
  }

  /// Two trips of one vehicle, and whether passengers may stay in it.
  struct Link: Hashable {
    var from: UInt32, to: UInt32
    var isSeat: Bool
  }

  var strings = IDTable()
  var stopIDs = IDTable(), routeIDs = IDTable(), tripIDs = IDTable(), serviceIDs = IDTable()
  var shapeIDs = IDTable()
  var stops: [Stop] = []
  var routes: [Route] = []
  var trips: [Trip] = []
  var services: [Service] = []
  var stopTimes: [StopTime] = []
  var frequencies: [Frequency] = []
  var transfers: [Transfer] = []
  var links: [Link] = []
  var translations: [Translation] = []
  /// The points of all shapes, in units of 1e-7 degrees, and the first one of each shape.
  var shapePoints: [(latitude: Int32, longitude: Int32)] = []
  var shapeStarts: [UInt32] = []
  /// The zone of the agencies.
  var zone = ""
  /// The name and the web address of each agency, by its ID.
  var agencyIDs = IDTable()
  var agencies: [(name: UInt32, url: UInt32)] = []
  var publisher = FeedTables.none, version = FeedTables.none
  /// The days that `feed_info.txt` gives.
  var start: Int32?, end: Int32?
  /// The first row of `stopTimes` of each trip, and the number of all rows.
  var stopTimeStarts: [Int] = []
  var stopTimeFile: FeedFile?
  var log = FeedLog()
}

// MARK: - Reading

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

  /// The number of days after its first one on which a second row for a service may add days.
  private static let mostAddedDays: Int32 = 3660

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
        var weekdays: UInt8 = 0
        for day in 0..<7 where row.number(3 + day) == 1 { weekdays |= 1 << day }
        guard services[service].start > services[service].end else {
          guard start <= end else { return }
          // A second row for a service adds its days.
          for day in Service.days(weekdays, in: start...min(end, start + Self.mostAddedDays)) {
            services[service].exceptions.append(.init(day: day, isAdded: true))
          }
          return
        }
        (services[service].weekdays, services[service].start, services[service].end) = (
          weekdays, start, end
        )
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

  /// Returns the trip that a row names in its first column.
  private func trip(_ row: FeedRow) -> UInt32? { row.withBytes(0) { tripIDs.number(of: $0) } }

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
    var (withRows, withLosses): (Set<UInt32>, Set<UInt32>) = ([], [])
    func lose(_ row: FeedRow, _ log: inout FeedLog) {
      if let trip = trip(row) { withLosses.insert(trip) }
    }
    try file.forEachRow(columns, required: 4, &log, lost: lose) { row, log in
      guard let trip = trip(row) else {
        return log.add("its trip doesn't exist", key: row.text(0), row, file)
      }
      guard let start = row.seconds(1), let end = row.seconds(2), let headway = row.number(3),
        headway > 0, start < end
      else {
        withLosses.insert(trip)
        let reason = "its times or headway are invalid, or it ends before it starts"
        return log.add(reason, key: row.text(0), row, file)
      }
      withRows.insert(trip)
      frequencies.append(
        Frequency(
          trip: trip, start: start, end: end, headway: headway, isExact: row.number(4) == 1))
    }
    // The stop times of such a trip are a template, and no trip at these times.
    for trip in withLosses.subtracting(withRows) { setUnusable(trip, &log) }
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

// MARK: - Stop times

extension FeedTables {
  /// Reads the stop times, and marks the trips unusable whose rows can't be used.
  mutating func readStopTimes(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("stop_times.txt") else {
      throw FieldError(.schema, "The feed has no stop_times.txt, so there are no journeys in it.")
    }
    let columns = [
      "trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time", "pickup_type",
      "drop_off_type",
    ]
    var log = log
    var last = LastTrip()
    // A row takes some fifty bytes.
    stopTimes.reserveCapacity(file.table.bytes.count / 48)
    // Without one of its rows, a trip has other stops and other times.
    func lose(_ row: FeedRow, _ log: inout FeedLog) {
      if let trip = trip(row) { setUnusable(trip, &log) }
    }
    try file.forEachRow(columns, required: 3, &log, lost: lose) { row, log in
      guard let trip = last.number(row, tripIDs) else {
        return log.add("its trip doesn't exist", key: row.text(0), row, file)
      }
      var flags: UInt8 = 3
      if !row.isEmpty(5), let type = row.number(5), type > 0 {
        flags &= ~1
        if type > 1 { log.report.arrangedStopCount += 1 }
      }
      if !row.isEmpty(6), let type = row.number(6), type > 0 {
        flags &= ~2
        if type > 1 { log.report.arrangedStopCount += 1 }
      }
      let arrival = row.isEmpty(3) ? -1 : row.seconds(3)
      let departure = row.isEmpty(4) ? -1 : row.seconds(4)
      let stop = row.withBytes(1) { stopIDs.number(of: $0) }
      guard let stop, let sequence = row.number(2), let arrival, let departure else {
        let reason =
          stop == nil
          ? "its stop doesn't exist: \(row.text(1))" : "its times or stop_sequence are invalid"
        return refuse(trip, reason + ", so the trip isn't used", row, file, &log)
      }
      stopTimes.append(
        StopTime(
          trip: trip, stop: stop, sequence: sequence, arrival: arrival, departure: departure,
          flags: flags))
    }
    self.log = log
    stopTimeFile = file
    sortStopTimes()
  }

  /// Marks a trip unusable, and reports it once.
  private mutating func refuse(
    _ trip: UInt32, _ reason: String, _ row: FeedRow, _ file: FeedFile, _ log: inout FeedLog
  ) {
    guard trips[Int(trip)].isUsable else { return }
    setUnusable(trip, &log)
    log.add(reason, key: row.text(0), row, file)
  }

  private mutating func setUnusable(_ trip: UInt32, _ log: inout FeedLog) {
    guard trips[Int(trip)].isUsable else { return }
    trips[Int(trip)].isUsable = false
    log.report.unusableTripCount += 1
  }

  /// Sorts the stop times by trip and sequence, in linear time if those of a trip are in order.
  private mutating func sortStopTimes() {
    var starts = [Int](repeating: 0, count: trips.count + 1)
    var isSorted = true
    var last: (trip: UInt32, sequence: Int32) = (0, -1)
    for time in stopTimes {
      starts[Int(time.trip) + 1] += 1
      if (time.trip, time.sequence) < last { isSorted = false }
      last = (time.trip, time.sequence)
    }
    for trip in trips.indices { starts[trip + 1] += starts[trip] }
    stopTimeStarts = starts
    if isSorted { return }
    var next = starts
    var sorted = stopTimes
    for time in stopTimes {
      sorted[next[Int(time.trip)]] = time
      next[Int(time.trip)] += 1
    }
    for trip in trips.indices {
      let range = starts[trip]..<starts[trip + 1]
      if zip(sorted[range], sorted[range].dropFirst()).contains(where: { $0.sequence > $1.sequence }
      ) {
        sorted[range].sort { $0.sequence < $1.sequence }
      }
    }
    stopTimes = sorted
  }
}

/// The trip of the row before, which most rows share.
private struct LastTrip {
  private var id: [UInt8] = []
  private var trip: UInt32?

  mutating func number(_ row: FeedRow, _ trips: IDTable) -> UInt32? {
    row.withBytes(0) { text in
      if text.count == id.count, text.count > 0 {
        var place = 0
        while place < text.count, text[place] == id[place] { place &+= 1 }
        if place == text.count { return trip }
      }
      id.removeAll(keepingCapacity: true)
      for place in 0..<text.count { id.append(text[place]) }
      trip = trips.number(of: text)
      return trip
    }
  }
}

// MARK: - Transfers

extension FeedTables {
  /// Reads the rules for changing.
  mutating func readTransfers(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("transfers.txt") else { return }
    var log = log
    let columns = [
      "from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time", "from_route_id",
      "to_route_id", "from_trip_id", "to_trip_id",
    ]
    try file.forEachRow(columns, required: 0, &log) { row, log in
      let type = row.number(2) ?? 0
      guard type <= 5 else { return log.add("its transfer_type is unknown", row, file) }
      // Of a trip and a route, the trip counts.
      let trips = [6, 7].map { row.isEmpty($0) ? Self.none : number(row, $0, tripIDs) }
      let routes = [4, 5].map { row.isEmpty($0) ? Self.none : number(row, $0, routeIDs) }
      guard let fromTrip = trips[0], let toTrip = trips[1], let fromRoute = routes[0],
        let toRoute = routes[1]
      else { return log.add("one of its routes or trips doesn't exist", row, file) }
      if type >= 4 {
        guard fromTrip != Self.none, toTrip != Self.none, fromTrip != toTrip else {
          return log.add("it links no two trips", row, file)
        }
        links.append(Link(from: fromTrip, to: toTrip, isSeat: type == 4))
        return
      }
      guard let from = number(row, 0, stopIDs), let to = number(row, 1, stopIDs) else {
        return log.add("one of its stops doesn't exist", row, file)
      }
      transfers.append(
        Transfer(
          from: .init(
            stop: from, route: fromTrip == Self.none ? fromRoute : Self.none, trip: fromTrip),
          to: .init(stop: to, route: toTrip == Self.none ? toRoute : Self.none, trip: toTrip),
          type: type, time: row.number(3) ?? -1))
    }
    self.log = log
  }

  private func number(_ row: FeedRow, _ column: Int, _ ids: IDTable) -> UInt32? {
    row.withBytes(column) { ids.number(of: $0) }
  }
}

// MARK: - Translations

extension FeedTables {
  /// A text in another language.
  struct Translation {
    var language: UInt32
    var field: TranslatedField
    /// The number of the record, or the string that is translated wherever it appears.
    var record: UInt32
    var isRecord: Bool
    var text: UInt32
  }

  /// Reads the translations of what is shown.
  mutating func readTranslations(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("translations.txt") else { return }
    var log = log
    let columns = [
      "table_name", "field_name", "language", "translation", "record_id", "field_value",
    ]
    guard file.table.column("trans_id") == nil || file.table.column("table_name") != nil else {
      return try readOldTranslations(file)
    }
    try file.forEachRow(columns, required: 4, &log) { row, log in
      // Fields that aren't shown don't matter.
      guard let field = TranslatedField(row.text(0), row.text(1)) else { return }
      guard !row.isEmpty(2), !row.isEmpty(3) else {
        return log.add("it has no language or translation", row, file)
      }
      let ids = [stopIDs, routeIDs, tripIDs, agencyIDs][field.table]
      let record =
        row.isEmpty(4)
        ? row.withBytes(5) { strings.number(of: $0) } : row.withBytes(4) { ids.number(of: $0) }
      // A text that isn't in the feed has nothing to translate.
      guard let record else {
        if !row.isEmpty(4) { log.add("its record doesn't exist", key: row.text(4), row, file) }
        return
      }
      translations.append(
        Translation(
          language: row.withBytes(2) { strings.insert($0).number }, field: field, record: record,
          isRecord: !row.isEmpty(4), text: row.withBytes(3) { strings.insert($0).number }))
    }
    self.log = log
  }

  /// Reads the form that feeds had before `translations.txt` was part of the specification: texts, wherever they stand.
  private mutating func readOldTranslations(_ file: FeedFile) throws(FieldError) {
    var log = log
    try file.forEachRow(["trans_id", "lang", "translation"], required: 3, &log) { row, log in
      guard !row.isEmpty(1), !row.isEmpty(2) else {
        return log.add("it has no language or translation", row, file)
      }
      guard let record = row.withBytes(0, { strings.number(of: $0) }) else { return }
      for field in TranslatedField.allCases {
        translations.append(
          Translation(
            language: row.withBytes(1) { strings.insert($0).number }, field: field, record: record,
            isRecord: false, text: row.withBytes(2) { strings.insert($0).number }))
      }
    }
    self.log = log
  }

  /// The rows of ``TimetableSection/translations``, in their order; of several for one text, the last one counts.
  var translationRows: [UInt32] {
    var rows: [[UInt32]: UInt32] = [:]
    for row in translations {
      rows[[row.language, row.field.key(isRecord: row.isRecord), row.record]] = row.text
    }
    return rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { $0.key + [$0.value] }
  }
}
