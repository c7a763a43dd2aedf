/// A zone as a text states it.
///
/// | Names | Meaning |
/// |---|---|
/// | `GMT`, `UTC`, `UT`, `Z`, `Etc/GMT` | UTC. |
/// | `GMT+8`; `Etc/GMT+8` | UTC+8; UTC−8, as POSIX counts |
/// | `EST`, `EDT`, `PST`, … | A fixed offset, whatever the date. |
/// | `ET`, `CT`, `MT`, `PT`, `AT` | American time, with daylight saving time according to the date. |
/// | `CET`, `MET`, `MEZ`; `CEST`, `MEST`, `MESZ` | UTC+1; UTC+2 |
/// | `WET`, `WEST`, `BST`, `EET`, `EEST` | Western and eastern Europe. `BST` is British Summer Time. |
/// | `MSK` | Moscow: UTC+3, and UTC+4 from 27 March 2011 until 26 October 2014. |
/// | `CST` | China (UTC+8) if the parser's zone is east of Greenwich, otherwise UTC−6. |
/// | `HKT`, `SGT`, `JST`, `KST`, `AEST`, … | Asia and Australia. |
/// | `Asia/Taipei`, `Asia/Seoul`, … | The fixed offset of places that don't change their clocks. |
///
/// A text with another name isn't read, so that its time isn't hours off. `IST` is missing because
/// it means India, Israel, and Ireland; it is read if its offset follows: `IST+0530`.
enum ZoneName: Equatable {
  /// UTC, under a name that an offset may follow.
  case universal
  /// A fixed number of seconds east of UTC.
  case fixed(Int)
  /// North American time, with the seconds from UTC in winter.
  case american(Int)
  /// Moscow time.
  case moscow

  /// Returns the zone of an abbreviation.
  ///
  /// - Parameters:
  ///   - key: The letters in uppercase, packed into an integer.
  ///   - zone: The zone of the parser.
  init?(key: UInt64, readIn zone: FixedZone) {
    if Self.universalKeys.contains(key) {
      self = .universal
    } else if let match = Self.table.first(where: { $0.key == key }) {
      self = key == Self.key("CST") && zone.secondsFromUTC > 0 ? .fixed(8 * 3600) : match.zone
    } else {
      return nil
    }
  }

  /// Returns the seconds from UTC that a zone may have whose name precedes an offset.
  ///
  /// - Parameter key: The letters in uppercase, packed into an integer.
  static func offsets(key: UInt64) -> [Int] {
    if key == Self.key("CST") { return [8 * 3600, -6 * 3600] }
    if key == Self.key("IST") { return [19_800, 2 * 3600, 3600] }
    return table.compactMap { entry in
      if entry.key == key, case .fixed(let seconds) = entry.zone { seconds } else { nil }
    }
  }

  /// Returns the seconds from UTC at a wall-clock time.
  ///
  /// - Parameter wall: The time in seconds, counted from 1970 as if the clock showed UTC.
  func secondsFromUTC(at wall: Int64) -> Int {
    switch self {
    case .universal: 0
    case .fixed(let seconds): seconds
    case .american(let seconds): seconds + (Self.isAmericanSummer(wall) ? 3600 : 0)
    case .moscow: (1_301_194_800..<1_414_288_800).contains(wall) ? 4 * 3600 : 3 * 3600
    }
  }

  /// Returns whether daylight saving time applies in the USA and Canada (the Uniform Time Act and
  /// its amendments, from 1967).
  ///
  /// The hour that occurs twice in autumn is read as daylight saving time, and the hour that is
  /// skipped in spring as standard time.
  private static func isAmericanSummer(_ wall: Int64) -> Bool {
    let year = CivilCalendar.date(ofDays: CivilCalendar.days(ofSeconds: wall)).year
    /// Returns the last Sunday up to a date, as a day number.
    func sunday(_ month: Int, upTo day: Int) -> Int {
      let days = CivilCalendar.days(year: year, month: month, day: day)
      // 4 January 1970 was a Sunday.
      return days - CivilCalendar.remainder(days - 3, 7)
    }
    let start: Int
    switch year {
    case 2007...: start = sunday(3, upTo: 14)
    case 1987...: start = sunday(4, upTo: 7)
    case 1974: start = CivilCalendar.days(year: year, month: 1, day: 6)
    case 1975: start = CivilCalendar.days(year: year, month: 2, day: 23)
    case 1967...: start = sunday(4, upTo: 30)
    default: return false
    }
    let end = year >= 2007 ? sunday(11, upTo: 7) : sunday(10, upTo: 31)
    return wall >= Int64(start) * 86_400 + 3 * 3600 && wall < Int64(end) * 86_400 + 2 * 3600
  }

  /// The places that don't change their clocks, by their names in the database of IANA.
  static let places: [(name: String, zone: ZoneName)] = [
    ("Asia/Taipei", .fixed(8 * 3600)), ("Asia/Seoul", .fixed(9 * 3600)),
    ("Asia/Tokyo", .fixed(9 * 3600)), ("Asia/Hong_Kong", .fixed(8 * 3600)),
    ("Asia/Macau", .fixed(8 * 3600)), ("Asia/Shanghai", .fixed(8 * 3600)),
    ("Asia/Singapore", .fixed(8 * 3600)), ("Asia/Manila", .fixed(8 * 3600)),
    ("Asia/Bangkok", .fixed(7 * 3600)), ("Asia/Kolkata", .fixed(19_800)),
  ]

  private static let universalKeys = ["GMT", "UTC", "UT", "UCT"].map(key)

  private static let table: [(key: UInt64, zone: ZoneName)] =
    american.map { (key($0), .american($1 * 3600)) } + minutes.map { (key($0), .fixed($1 * 60)) }
    + [(key("MSK"), .moscow)]

  private static func key(_ name: String) -> UInt64 {
    name.utf8.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static let american: [(String, Int)] = [
    ("ET", -5), ("CT", -6), ("MT", -7), ("PT", -8), ("AT", -4),
  ]

  /// The names that mean one offset, in minutes.
  private static let minutes: [(String, Int)] = [
    ("EST", -300), ("EDT", -240), ("CST", -360), ("CDT", -300), ("MST", -420), ("MDT", -360),
    ("PST", -480), ("PDT", -420), ("AST", -240), ("ADT", -180), ("AKST", -540), ("AKDT", -480),
    ("HST", -600),
    ("HKT", 480), ("SGT", 480), ("JST", 540), ("KST", 540), ("PHT", 480), ("MYT", 480),
    ("ICT", 420), ("WIB", 420), ("AWST", 480), ("ACST", 570), ("ACDT", 630), ("AEST", 600),
    ("AEDT", 660),
    ("WET", 0), ("WEST", 60), ("BST", 60), ("CET", 60), ("CEST", 120), ("MET", 60), ("MEST", 120),
    ("MEZ", 60), ("MESZ", 120), ("EET", 120), ("EEST", 180), ("TRT", 180), ("MSD", 240),
    ("SAST", 120), ("ZULU", 0),
  ]
}
