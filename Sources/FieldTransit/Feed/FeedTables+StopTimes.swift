internal import FieldCore

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
    try file.forEachRow(columns, required: 3, &log) { row, log in
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
    trips[Int(trip)].isUsable = false
    log.report.unusableTripCount += 1
    log.add(reason, key: row.text(0), row, file)
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
