internal import FieldTransit
internal import Foundation

/// Answers journeys in one process, for `Scripts/Checks/journeys.py`.
///
/// `Journeys compile FEED FILE` compiles a feed, `Journeys answer FILE DAY` answers the queries of its standard input,
/// or after a message with `Journeys answer FILE DAY MESSAGE`,
/// `Journeys first FILE DAY QUERY` opens a file and answers one query, and `Journeys empty` does nothing. What they took
/// is printed, in nanoseconds of the processor's time.
@main
struct Journeys {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("compile", 3): try compile(URL(filePath: arguments[1]), URL(filePath: arguments[2]))
    case ("answer", 3...4):
      var timetable = try Timetable(contentsOf: URL(filePath: arguments[1]))
      let day = try CalendarDay(arguments[2])
      if arguments.count == 4 { timetable = try applied(URL(filePath: arguments[3]), timetable) }
      while let line = readLine() {
        let query = try Query(line)
        let start = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
        let answer = try query.answer(timetable, day)
        let end = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
        print(end - start, query.pairs(answer), separator: "\t")
      }
    case ("first", 4):
      let timetable = try Timetable(contentsOf: URL(filePath: arguments[1]))
      let query = try Query(arguments[3])
      print(query.pairs(try query.answer(timetable, CalendarDay(arguments[2]))))
      printCost()
    case ("empty", 1): printCost()
    default:
      print(
        "usage: Journeys compile FEED FILE | answer FILE DAY [MESSAGE] | first FILE DAY QUERY | empty"
      )
      exit(2)
    }
  }

  /// Returns a timetable after a message, when it was made.
  private static func applied(_ file: URL, _ timetable: Timetable) throws -> Timetable {
    let message = try RealtimeMessage([UInt8](Data(contentsOf: file)))
    guard let date = message.date else {
      throw FieldError(.notData, "The message has no time.")
    }
    let live = timetable.applying([message], at: date)
    guard let report = live.realtime, report.unusedTripCount == 0 else {
      throw FieldError(.notData, "Some trips of the message aren't in the timetable.")
    }
    return live
  }

  private static func compile(_ feed: URL, _ file: URL) throws {
    let start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    let compiled = try Timetable.compile(ZipArchive(contentsOf: feed))
    let end = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    try Data(compiled.timetable.bytes).write(to: file)
    let report = compiled.report
    print(
      end - start, compiled.timetable.bytes.count, report.tripCount, report.unusableTripCount,
      separator: "\t")
  }

  /// Prints the time of the process and its own resident memory in kilobytes.
  private static func printCost() {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    print(nanoseconds(CLOCK_PROCESS_CPUTIME_ID), line.filter(\.isNumber), separator: "\t")
  }

  static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// A line with the kind of the query, its stops, and its minutes after the start of the day.
struct Query {
  /// A departure, an arrival, or departures within two hours.
  enum Kind: String { case departing, arriving, within }

  let kind: Kind
  let from: JourneyPlace, to: JourneyPlace
  let minutes: Int

  init(_ line: String) throws {
    let parts = line.split(separator: "\t").map(String.init)
    guard parts.count == 4, let kind = Kind(rawValue: parts[0]), let minutes = Int(parts[3]) else {
      throw FieldError(.notData, "A query has a kind, two stops, and minutes, not \"\(line)\".")
    }
    (self.kind, self.minutes) = (kind, minutes)
    (from, to) = (.stop(parts[1]), .stop(parts[2]))
  }

  func answer(_ timetable: Timetable, _ day: CalendarDay) throws -> JourneyAnswer {
    let date = timetable.date(of: day, minutes: minutes)
    switch kind {
    case .departing: return try timetable.journeys(from: from, to: to, departing: date)
    case .arriving: return try timetable.journeys(from: from, to: to, arriving: date)
    case .within:
      let end = timetable.date(of: day, minutes: minutes + 120)
      return try timetable.journeys(from: from, to: to, departing: date...end)
    }
  }

  /// Returns the answer as JSON: an array of pairs of minutes and changes.
  func pairs(_ answer: JourneyAnswer) -> String {
    let pairs = answer.journeys.map { journey in
      let time = kind == .arriving ? journey.departure : journey.arrival
      return "[\(time.minutes), \(journey.transfers)]"
    }
    return "[" + pairs.joined(separator: ", ") + "]"
  }
}
