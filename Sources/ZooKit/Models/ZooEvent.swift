public import FieldCore
public import FieldFoundation

/// An event of Taipei Zoo, such as a sightingStore's talk on one day.
///
/// Source: data.taipei, 臺北市立動物園_行事曆, a CSV with a row for every day and activity.
public struct ZooEvent: Identifiable, Hashable, Sendable, Codable {
  /// The key: title, first day, time and location.
  public var id: ID
  /// What kind of event it is, in Chinese, such as `保母講古`.
  public var category: String?
  /// The title in Chinese.
  public var title: String
  /// A summary; blank in all rows of 2026.
  public var summary: String?
  /// On which days it recurs, in prose, such as `每週三`; what can be read of it is in ``days``.
  public var brief: String?
  /// The first day.
  public var start: CalendarDay?
  /// The last day.
  public var end: CalendarDay?
  /// The time as one text, such as `09:30~11:30、13:30~15:30`; see ``times``.
  public var timeText: String?
  /// The name of the place.
  public var location: String?
  /// Where it is.
  public var places: [Coordinate]
  /// What speaks against ``places``; nil when nothing does.
  public var positionIssue: ZooPositionIssue?
  /// The first day on which it is to be shown.
  public var publishedFrom: CalendarDay?
  /// The last day on which it is to be shown.
  public var publishedUntil: CalendarDay?
  /// Keywords, as one text.
  public var keywords: String?
  /// A picture with its caption.
  public var picture: ZooMedia?
  /// A page about it.
  public var link: ZooLink?
  /// The postal address.
  public var address: String?
  /// The site, such as `臺北市立動物園`.
  public var site: String?
  /// When the portal took the row in.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which shifts from import to import.
  public var rowNumber: Int?
  /// The texts of those columns that hold something that cannot be read, by the column's name in lower
  /// case.
  public var unreadable: [String: String]

  /// Makes an event; the key is that of its title, day, time and location unless another is given.
  public init(
    id: ID? = nil, category: String? = nil, title: String, summary: String? = nil,
    brief: String? = nil, start: CalendarDay? = nil, end: CalendarDay? = nil,
    timeText: String? = nil, location: String? = nil, places: [Coordinate] = [],
    positionIssue: ZooPositionIssue? = nil, publishedFrom: CalendarDay? = nil,
    publishedUntil: CalendarDay? = nil, keywords: String? = nil, picture: ZooMedia? = nil,
    link: ZooLink? = nil, address: String? = nil, site: String? = nil, importDate: Date? = nil,
    rowNumber: Int? = nil, unreadable: [String: String] = [:]
  ) {
    self.id = id ?? ID(title: title, start: start, time: timeText, location: location)
    self.category = category
    self.title = title
    self.summary = summary
    self.brief = brief
    self.start = start
    self.end = end
    self.timeText = timeText
    self.location = location
    self.places = places
    self.positionIssue = positionIssue
    self.publishedFrom = publishedFrom
    self.publishedUntil = publishedUntil
    self.keywords = keywords
    self.picture = picture
    self.link = link
    self.address = address
    self.site = site
    self.importDate = importDate
    self.rowNumber = rowNumber
    self.unreadable = unreadable
  }

  /// The identifier of an event: its title, first day, time, and location.
  ///
  /// Rows that agree in all of them get `#2`, `#3`.
  public typealias ID = RecordID<ZooEvent>
}

extension RecordID where Subject == ZooEvent {
  /// Creates the ID of an event from its title, first day, time, and location.
  public init(title: String, start: CalendarDay?, time: String? = nil, location: String? = nil) {
    self.init(
      rawValue: [title, start?.description ?? "", time ?? "", location ?? ""]
        .map(TextFolding.fold).joined(separator: "|"))
  }
}

extension ZooEvent {
  /// Whether the zoo says that the event does not take place: `保母講古暫停`.
  public var isPaused: Bool {
    [category, title].contains { text in
      text.map { ZooWords.contains(TextFolding.fold($0), "暫停") } ?? false
    }
  }

  /// The rule of the days on which it recurs; nil when ``brief`` has none that can be read.
  public var days: ZooDayRule? { brief.flatMap(ZooDayRule.init(reading:)) }

  /// The times of day; empty for a whole day (全天), and when ``timeText`` cannot be read.
  public var times: [ZooTimeSpan] { timeText.flatMap(ZooTimeSpan.spans) ?? [] }

  /// Whether it lasts the whole day (全天).
  public var isAllDay: Bool {
    timeText.map { ["全天", "全日", "整天"].contains(TextFolding.fold($0)) } ?? false
  }

  /// Whether it takes place on a day: the day is one of its days, the rule has it too, and it is not
  /// paused. An event without a first day takes place on no day.
  public func takesPlace(on day: CalendarDay) -> Bool {
    guard !isPaused, let start, day >= start, day <= end ?? start else { return false }
    return days?.includes(day) ?? true
  }

  /// Whether the event is to be shown on a day.
  public func isPublished(on day: CalendarDay) -> Bool {
    (publishedFrom.map { day >= $0 } ?? true) && (publishedUntil.map { day <= $0 } ?? true)
  }
}

extension ZooEvent: CustomStringConvertible {
  /// The title, the first day, the time, and the location, as far as they are known.
  public var description: String {
    [title, start?.description, timeText, location].compactMap(\.self)
      .joined(separator: ", ").printable
  }
}
