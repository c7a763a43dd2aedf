import FieldTransit
import Foundation

/// `day-out journey`: finds the ways from one stop to another in a city's timetable.
struct JourneyCommand: Command {
  static let name = "journey"
  static let operands = "FEED FROM TO [options]"
  static let summary = "finds journeys in a timetable, a GTFS feed"
  static let examples = [
    "day-out journey gtfs.zip 127 \"South Ferry\" --at 08:10 --date 2024-12-18"
  ]
  static let details: [Detail] = [
    ("FEED", "a file: the zip archive of a feed, or a timetable that --save wrote"),
    ("FROM, TO", "the ID of a stop or station, or its name or a part of it"),
    ("--at TIME", "the earliest departure, such as 08:10 (now)"),
    ("--by TIME", "the latest arrival instead"),
    ("--date DAY", "the day, such as 2024-12-18 (today)"),
    ("--via STOP", "a stop or station at which to change"),
    ("--transfers N", "the maximum number of changes (7)"),
    ("--wheelchair", "only trips that are accessible"),
    ("--realtime FILE", "a message of GTFS Realtime, whose delays and cancellations count"),
    ("--save FILE", "writes the compiled timetable, which opens faster"),
  ]
  static let flags: Set<String> = ["--json", "--wheelchair"]
  static let values: Set<String> = [
    "--at", "--by", "--date", "--via", "--transfers", "--realtime", "--save",
  ]

  private let feed: URL
  private let from: String, to: String
  private let via: String?
  private let minutes: Int?
  private let isArriving: Bool
  private let day: CalendarDay?
  private var options = JourneyOptions()
  private let messageFile: URL?
  private let savedFile: URL?
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    guard arguments.operands.count == 3 else {
      throw UsageError("pass a feed, and the stops from and to which to go")
    }
    feed = URL(filePath: arguments.operands[0])
    (from, to) = (arguments.operands[1], arguments.operands[2])
    via = arguments.value("--via")
    isArriving = arguments.value("--by") != nil
    if isArriving, arguments.value("--at") != nil { throw UsageError("pass either --at or --by") }
    minutes = try (arguments.value("--by") ?? arguments.value("--at")).map(Self.minutes)
    day = try arguments.value("--date").map {
      guard let day = try? CalendarDay($0) else {
        throw UsageError("--date needs a day, such as 2024-12-18, not \"\($0)\"")
      }
      return day
    }
    options.maximumTransfers = try arguments.count("--transfers", default: 7)
    options.isWheelchairAccessible = arguments.has("--wheelchair")
    messageFile = arguments.value("--realtime").map { URL(filePath: $0) }
    savedFile = arguments.value("--save").map { URL(filePath: $0) }
    printsJSON = arguments.has("--json")
  }

  /// The minutes of a time, which may be after 24:00.
  private static func minutes(_ text: String) throws -> Int {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
      (0..<168).contains(hour), (0..<60).contains(minute)
    else { throw UsageError("a time is needed, such as 08:10, not \"\(text)\"") }
    return hour * 60 + minute
  }

  func run() async throws {
    var timetable = try open()
    let date = date(timetable)
    if let messageFile { timetable = try apply(messageFile, to: timetable, at: date) }
    var options = options
    options.via = try via.map { try Self.stop($0, timetable).id }
    let (from, to) = (try Self.stop(from, timetable), try Self.stop(to, timetable))
    let places = (JourneyPlace.stop(from.id), JourneyPlace.stop(to.id))
    let answer =
      isArriving
      ? try timetable.journeys(from: places.0, to: places.1, arriving: date, options: options)
      : try timetable.journeys(from: places.0, to: places.1, departing: date, options: options)
    let report = JourneyReport(
      answer, from: from, to: to,
      after: timetable.date(of: day ?? timetable.day(of: date), minutes: 0))
    if printsJSON { try JSONOutput.print(report) } else { report.print() }
  }

  private func open() throws -> Timetable {
    let bytes = [UInt8](try TransportBody.file(feed).bytes())
    let timetable: Timetable
    if bytes.starts(with: "FKTT".utf8) {
      timetable = try Timetable(bytes)
    } else {
      let compiled = try Timetable.compile(ZipArchive(bytes))
      timetable = compiled.timetable
      for failure in compiled.report.failures.prefix(printsJSON ? 0 : 5) {
        Swift.print("  \(failure)")
      }
    }
    if let savedFile { try Data(timetable.bytes).write(to: savedFile, options: .atomic) }
    return timetable
  }

  /// Applies a message, which for a day in the past is as old as it was then.
  private func apply(_ file: URL, to timetable: Timetable, at date: Date) throws -> Timetable {
    let message = try RealtimeMessage([UInt8](TransportBody.file(file).bytes()))
    let now = Date()
    let isPast = timetable.day(of: date) < timetable.day(of: now)
    let live = timetable.applying([message], at: isPast ? message.date ?? date : now)
    guard let report = live.realtime, !printsJSON else { return live }
    if report.date == nil {
      Swift.print("  The message is more than 5 minutes old, so times are the timetable's.")
    } else {
      Swift.print(
        "  \(report.predictedTripCount) trips are predicted, \(report.canceledTripCount) are canceled, and "
          + "\(report.unusedTripCount) of the message aren't used.")
    }
    return live
  }

  private func date(_ timetable: Timetable) -> Date {
    if day == nil, minutes == nil { return Date() }
    let today = timetable.day(of: Date())
    if let minutes { return timetable.date(of: day ?? today, minutes: minutes) }
    return timetable.date(of: day ?? today, minutes: timetable.minutes(of: Date()))
  }

  private static func stop(_ text: String, _ timetable: Timetable) throws -> TransitStop {
    if let stop = timetable.stop(text) { return stop }
    guard let stop = timetable.stops(matching: text, limit: 1).first else {
      throw FieldError(.transitStop, "No stop has the ID or the name \"\(text)\".")
    }
    return stop
  }
}
