internal import FieldCore
internal import FieldFoundation
internal import FieldPortals

/// Reads the cells of a row as values, and records unreadable ones.
struct ZooRowValues {
  /// The names of the columns, looked up once per file.
  let columnNames: [String]
  /// The texts of the current row's unreadable cells, by column.
  private(set) var unreadable: [String: String] = [:]

  init(_ table: ZooTable) { columnNames = ZooColumn.allCases.map { $0.name(in: table) } }

  /// Clears the state of the previous row.
  mutating func beginRow() { unreadable.removeAll() }

  mutating func link(_ column: ZooColumn, _ row: borrowing SourceRow) -> ZooLink? {
    guard let text = row.rawText(column.rawValue) else { return nil }
    guard let link = ZooLink(text) else {
      unreadable[columnNames[column.rawValue]] = text
      return nil
    }
    return link
  }

  /// Returns the day in a cell: `2017/9/29`, `2015-11-23`, but not `########`, which a spreadsheet
  /// writes if a column is too narrow. A range is its first day.
  mutating func day(_ column: ZooColumn, _ row: borrowing SourceRow) -> CalendarDay? {
    instant(column, row)?.day
  }

  /// Returns the days in two cells, of which the first may contain both as a range, such as
  /// `2026/05/20~05/22`. A range in the second cell is its last day.
  mutating func days(
    _ first: ZooColumn, _ last: ZooColumn, _ row: borrowing SourceRow
  ) -> (first: CalendarDay?, last: CalendarDay?) {
    let (start, end) = (instant(first, row), instant(last, row))
    return (start?.day, row.isPresent(last.rawValue) ? end?.lastDay ?? end?.day : start?.lastDay)
  }

  private mutating func instant(
    _ column: ZooColumn, _ row: borrowing SourceRow
  ) -> ParsedInstant? {
    guard let text = row.rawText(column.rawValue) else { return nil }
    guard let instant = row.instant(column.rawValue, in: .taipei) else {
      unreadable[columnNames[column.rawValue]] = text
      return nil
    }
    return instant
  }

  mutating func importDate(_ row: borrowing SourceRow) -> Date? {
    let column = ZooColumn.importDate.rawValue
    guard row.isPresent(column), let value = row.json(column) else { return nil }
    if let date = ImportDate.date(in: value) { return date }
    if let text = row.rawText(column) { unreadable[columnNames[column]] = text }
    return nil
  }

  /// Returns the media in alternating columns: caption, URL, caption, URL.
  mutating func media(from first: ZooColumn, count: Int, _ row: borrowing SourceRow) -> [ZooMedia] {
    var media: [ZooMedia] = []
    for number in 0..<count {
      let caption = row.text(first.advanced(by: number * 2))
      let link = link(first.advanced(by: number * 2 + 1), row)
      if caption != nil || link != nil {
        media.append(ZooMedia(number: number + 1, link: link, caption: caption))
      }
    }
    return media
  }

  /// Returns the places of a row, in any form that the data has had.
  mutating func places(_ row: borrowing SourceRow) -> ZooPlaces {
    let (longitude, latitude) = (ZooColumn.longitude.rawValue, ZooColumn.latitude.rawValue)
    if let x = row.double(longitude), let y = row.double(latitude) {
      let places = ZooPlaces(of: [(x, y)])
      if places.places.isEmpty { noteTexts(of: [.longitude, .latitude], row) }
      return places
    }
    if row.isPresent(longitude) || row.isPresent(latitude) {
      noteTexts(of: [.longitude, .latitude], row)
    }
    guard let text = row.rawText(ZooColumn.geometry.rawValue) else {
      let isUnreadable = [ZooColumn.longitude, .latitude].contains {
        unreadable[columnNames[$0.rawValue]] != nil
      }
      return ZooPlaces(issue: isUnreadable ? .unreadable : nil)
    }
    let reading = WellKnownText.positions(in: text)
    if !reading.isWhole, let place = row.coordinate(ZooColumn.geometry.rawValue) {
      // Portals export points as GeoJSON and as a latitude and a longitude, too.
      return ZooPlaces(of: [(place.longitude, place.latitude)])
    }
    var places = ZooPlaces(of: reading.pairs.map { ($0.x, $0.y) })
    if !reading.isWhole || places.places.isEmpty { places.note(.unreadable) }
    if places.issue == .unreadable || places.places.count < reading.pairs.count {
      unreadable[columnNames[ZooColumn.geometry.rawValue]] = text
    }
    return places
  }

  private mutating func noteTexts(of columns: [ZooColumn], _ row: borrowing SourceRow) {
    for column in columns {
      if let text = row.rawText(column.rawValue) { unreadable[columnNames[column.rawValue]] = text }
    }
  }
}

extension SourceRow {
  func text(_ column: ZooColumn) -> String? { text(column.rawValue) }
  /// Returns a text without surrounding whitespace.
  func word(_ column: ZooColumn) -> String? { trimmedText(column.rawValue) }
  func number(_ column: ZooColumn) -> Int? { integer(column.rawValue) }
}

/// The meanings of the texts in the conservation column. There are about 30 in a file of hundreds
/// of rows, so each is parsed once.
struct ConservationRemarks {
  struct Remark {
    var text: String
    var status: ConservationStatus?
    var protection: ProtectionCategory?
    var endemism: Endemism?
  }

  private var known: [String: Remark] = [:]

  /// Returns the meaning of a text, which is parsed on first use.
  mutating func reading(_ text: String) -> Remark {
    if let remark = known[text] { return remark }
    let remark = Remark(
      text: text, status: ConservationStatus(reading: text),
      protection: ProtectionCategory(reading: text), endemism: Endemism(reading: text))
    known[text] = remark
    return remark
  }
}
