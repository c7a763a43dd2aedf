internal import FieldCore
internal import FieldFoundation

/// Makes a timetable of another one and of messages.
///
/// A run that a message changes leaves its pattern on that day, by a service without the day, and becomes the only run of a
/// pattern of its own, on that day alone. So the search for journeys needn't know about messages.
struct RealtimeOverlay {
  typealias Instance = RunResolver.Instance

  /// What becomes of a run of the timetable.
  private struct Change {
    var message: Int, update: TripUpdate
    var shift: Int?
  }

  private let base: TimetableStorage
  private let contents: TimetableContents
  private let messages: [RealtimeMessage]
  private var resolver: RunResolver
  private var changes: [Instance: Change] = [:]
  /// The runs that the timetable doesn't have, by ID and day.
  private var additions: [String: Change] = [:]
  private var times = RunTimes()
  private var writer: RunWriter
  private var report: RealtimeReport

  init(
    _ base: TimetableStorage, _ contents: TimetableContents, _ messages: [RealtimeMessage],
    _ report: RealtimeReport
  ) {
    (self.base, self.contents, self.messages, self.report) = (base, contents, messages, report)
    resolver = RunResolver(messages, contents, base.rules)
    writer = RunWriter(contents, base.rules)
  }

  /// Returns the changed timetable.
  ///
  /// - Parameter language: The string with the language of its answers, which needn't be that of the base.
  mutating func build(language: UInt32?) -> TimetableStorage {
    for (number, message) in messages.enumerated() {
      for update in message.trips { sort(update, number) }
    }
    // The order of a dictionary differs from one process to the next.
    for (instance, change) in changes.sorted(by: {
      ($0.key.day, $0.key.run) < ($1.key.day, $1.key.run)
    }) {
      apply(change, instance)
    }
    for (_, change) in additions.sorted(by: { $0.key < $1.key }) { add(change) }
    let predictions = Predictions(
      base: base, firstPattern: contents.patternCount, runs: writer.runs, marks: writer.marks,
      report: report)
    guard writer.hasChanges else {
      return TimetableStorage(like: base, predictions, language: language)
    }
    let (bytes, places) = writer.edits().applied(to: base)
    return TimetableStorage(bytes, places, base.rules, predictions, language: language)
  }

  // MARK: Which runs

  /// Finds what an update is about. A later one about the same replaces it.
  private mutating func sort(_ update: TripUpdate, _ number: Int) {
    let message = messages[number]
    let change = Change(message: number, update: update)
    switch update.trip.kind {
    case nil: report.unusedTripCount += 1
    case .added:
      // A trip of the timetable isn't an additional one.
      if let id = update.trip.tripID, resolver.hasTrip(id, message) {
        report.unusedTripCount += 1
      } else {
        insert(change, key: update.trip.tripID, update.trip.startDate, message)
      }
    case .duplicated:
      insert(change, key: update.newTripID, update.newStartDate, message)
    default:
      guard let found = resolver.find(update.trip, message) else {
        report.unusedTripCount += 1
        return
      }
      if let shift = found.shift {
        // A run of a frequency at a time of its own, beside those that the timetable expects.
        let key = "frequency \(found.instance.run) \(found.instance.day) \(shift)"
        additions[key] = Change(message: number, update: update, shift: shift)
      } else {
        changes[found.instance] = change
      }
    }
  }

  private mutating func insert(
    _ change: Change, key id: Range<Int>?, _ date: Range<Int>?, _ message: RealtimeMessage
  ) {
    let texts = [id, date].map { $0.map(message.text) ?? "" }
    // Trips without an ID are different ones.
    let key = id == nil ? "\(additions.count)" : "trip \(texts[0]) \(texts[1])"
    additions[key] = change
  }

  // MARK: What becomes of them

  private mutating func apply(_ change: Change, _ instance: Instance) {
    let (update, message) = (change.update, messages[change.message])
    let start = base.rules.start(ofDay: instance.day)
    switch update.trip.kind {
    case .canceled:
      writer.remove(instance)
      report.canceledTripCount += 1
      return
    case .replacement:
      guard
        times.set(
          message.stops[update.stops], message, contents, like: instance.run,
          route: route(of: change, like: instance.run), start: start)
      else {
        report.unusedTripCount += 1
        return
      }
      append(change, day: instance.day, like: instance.run, replaces: instance)
    default:
      times.set(contents, run: instance.run, shift: 0)
      times.apply(update, message, contents, trip: trip(of: instance.run), start: start)
      guard times.isPredicted else {
        report.unusedTripCount += 1
        return
      }
      append(
        change, day: instance.day, like: instance.run, replaces: instance, isAsPlanned: true)
    }
  }

  private mutating func add(_ change: Change) {
    let (update, message) = (change.update, messages[change.message])
    if change.shift != nil || update.trip.kind == .duplicated { return addCopy(change) }
    let day =
      update.trip.startDate.flatMap { RunResolver.day(message.text($0)) }
      ?? message.stops[update.stops].lazy.compactMap { $0.departure.time ?? $0.arrival.time }
      .first.map { base.rules.day(of: min(max($0, 0), 250_000_000_000)) }
    guard let day,
      times.set(
        message.stops[update.stops], message, contents, like: nil,
        route: route(of: change, like: nil), start: base.rules.start(ofDay: day))
    else {
      report.unusedTripCount += 1
      return
    }
    append(change, day: day, like: nil, replaces: nil)
  }

  /// Adds a run like one of the timetable at another time.
  private mutating func addCopy(_ change: Change) {
    let (update, message) = (change.update, messages[change.message])
    let isDuplicate = update.trip.kind == .duplicated
    let found = resolver.find(update.trip, message, isOnAnyDay: isDuplicate)
    guard var instance = found?.instance, update.trip.kind != .canceled else {
      report.unusedTripCount += 1
      return
    }
    var shift = change.shift ?? 0
    if isDuplicate {
      let first = contents.times(
        of: contents.pattern(ofRun: instance.run), run: instance.run, at: 0)
      guard let time = update.newStartTime.flatMap({ RunResolver.minutes(message.text($0)) }) else {
        report.unusedTripCount += 1
        return
      }
      if let date = update.newStartDate {
        guard let day = RunResolver.day(message.text(date)) else {
          report.unusedTripCount += 1
          return
        }
        instance.day = day
      }
      shift = time - Int(first.departure)
    }
    times.set(contents, run: instance.run, shift: shift)
    times.apply(
      update, message, contents, trip: trip(of: instance.run),
      start: base.rules.start(ofDay: instance.day))
    append(change, day: instance.day, like: instance.run, replaces: nil)
  }

  private func trip(of run: Int) -> Int { Int(contents.runTrips[run]) }

  /// Returns the line of a run; `nil` if the timetable doesn't have it.
  private mutating func route(of change: Change, like source: Int?) -> Int? {
    source.map { contents.pattern(contents.pattern(ofRun: $0)).route }
      ?? change.update.trip.routeID.flatMap { resolver.route($0, messages[change.message]) }
  }

  /// Appends the run in ``times``, unless it hardly stops anywhere.
  private mutating func append(
    _ change: Change, day: Int32, like source: Int?, replaces instance: Instance?,
    isAsPlanned: Bool = false
  ) {
    let (update, message) = (change.update, messages[change.message])
    if times.stopCount < 2 {
      if let instance { writer.remove(instance) }
      report.canceledTripCount += 1
      return
    }
    let isWritten = writer.append(
      times, update, message, day: day, like: source, route: route(of: change, like: source),
      replaces: instance, isAsPlanned: isAsPlanned)
    guard isWritten else {
      report.unusedTripCount += 1
      return
    }
    report.predictedTripCount += 1
    if instance == nil { report.addedTripCount += 1 }
  }
}
