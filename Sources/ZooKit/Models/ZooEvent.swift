public import FieldCore
public import FieldFoundation

/// An event of Taipei Zoo, such as a keeper's talk on one day.
///
/// Source: data.taipei, 臺北市立動物園_行事曆, a CSV file with a row for every day and activity.
public struct ZooEvent: Identifiable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The ID, derived from the title, first day, time, and location.
  public var id: ID
  /// The kind of event, in Chinese, such as `保母講古`.
  public var category: String?
  /// The title, in Chinese.
  public var title: String
  /// A summary; blank in all rows of 2026.
  public var summary: String?
  /// The days on which the event recurs, in prose, such as `每週三`; see ``days`` for the parsed rule.
  public var brief: String?
  /// The first day.
  public var start: CalendarDay?
  /// The last day; that of a range in the first day's column if its own is empty.
  public var end: CalendarDay?
  /// The times, as one text, such as `09:30~11:30、13:30~15:30`; see ``times``.
  public var timeText: String?
  /// The name of the location.
  public var location: String?
  /// The places of the event.
  public var places: [Coordinate]
  /// The issue with ``places``; `nil` if there is none.
  public var positionIssue: ZooPositionIssue?
  /// The first day on which to show the event.
  public var publishedFrom: CalendarDay?
  /// The last day on which to show the event.
  public var publishedUntil: CalendarDay?
  /// The keywords, as one text.
  public var keywords: String?
  /// A picture with its caption.
  public var picture: ZooMedia?
  /// A page about the event.
  public var link: ZooLink?
  /// The postal address.
  public var address: String?
  /// The site, such as `臺北市立動物園`.
  public var site: String?
  /// The date when the portal imported the row.
  public var importDate: Date?
  /// The number of the row in its file (`_id`), which shifts from import to import.
  public var rowNumber: Int?
  /// The texts of unreadable columns, keyed by the column's name in lowercase.
  public var unreadable: [String: String]

  /// Creates an event; by default, its ID is derived from its title, day, time, and location.
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

  /// A Boolean value that indicates whether the zoo has suspended the event: `保母講古暫停`.
  public var isPaused: Bool {
    [category, title].contains { ZooWords.contains(TextFolding.fold($0 ?? ""), "暫停") }
  }

  /// The rule for the days on which the event recurs; `nil` if ``brief`` has none that is readable.
  public var days: ZooDayRule? { brief.flatMap(ZooDayRule.init(reading:)) }

  /// The times of day; empty for a whole day (全天), or if ``timeText`` can't be read.
  public var times: [ZooTimeSpan] { timeText.flatMap(ZooTimeSpan.spans) ?? [] }

  /// A Boolean value that indicates whether the event lasts the whole day (全天).
  public var isAllDay: Bool {
    timeText.map { ["全天", "全日", "整天"].contains(TextFolding.fold($0)) } ?? false
  }

  /// Returns a Boolean value that indicates whether the event takes place on a day.
  ///
  /// The day must be within the event's period and match its rule, and the event mustn't be paused.
  /// An event without a first day never takes place.
  public func takesPlace(on day: CalendarDay) -> Bool {
    guard !isPaused, let start, day >= start, day <= end ?? start else { return false }
    return days?.includes(day) ?? true
  }

  /// Returns a Boolean value that indicates whether to show the event on a day.
  public func isPublished(on day: CalendarDay) -> Bool {
    (publishedFrom.map { day >= $0 } ?? true) && (publishedUntil.map { day <= $0 } ?? true)
  }

  /// A description with the title, the first day, the time, and the location, as far as known.
  public var description: String {
    [title, start?.description, timeText, location].compactMap(\.self)
      .joined(separator: ", ").printable
  }
}

extension RecordID where Subject == ZooEvent {
  /// Creates the ID of an event from its title, first day, time, and location.
  public init(title: String, start: CalendarDay?, time: String? = nil, location: String? = nil) {
    self.init(
      rawValue: [title, start?.description ?? "", time ?? "", location ?? ""]
        .map(TextFolding.fold).joined(separator: "|"))
  }
}

// MARK: - Storage

extension ZooEvent: StoredRecord {
  /// Writes the event; repeated texts are written once per store.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(title)
    var event = self
    try event.exchange(with: &writer)
  }

  /// Creates an event by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(id: ID(rawValue: try reader.string()), title: try reader.string())
    try exchange(with: &reader)
  }

  private mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.sharedText(&category)
    try coder.text(&summary)
    try coder.sharedText(&brief)
    try coder.day(&start)
    try coder.day(&end)
    try coder.sharedText(&timeText)
    try coder.sharedText(&location)
    try coder.places(&places)
    try coder.name(&positionIssue)
    try coder.day(&publishedFrom)
    try coder.day(&publishedUntil)
    try coder.sharedText(&keywords)
    var pictures = picture.map { [$0] } ?? []
    try coder.media(&pictures)
    picture = pictures.first
    try coder.link(&link)
    try coder.sharedText(&address)
    try coder.sharedText(&site)
    try coder.date(&importDate)
    try coder.number(&rowNumber)
    try coder.texts(&unreadable)
  }
}
