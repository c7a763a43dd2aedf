import FieldKit
import Foundation

/// The way in which a visitor's table is read: its columns, and those that identify, name, and place a row.
struct OwnPlan: Codable, Sendable, Equatable {
  /// A column, and what is in it.
  struct Column: Codable, Sendable, Equatable {
    var name: String
    /// `text`, `number`, or `place`.
    var kind: String
    /// The number of rows in which it isn't blank.
    var filled: Int
    var example: String
  }

  var columns: [Column]
  /// The position of the column that identifies a row; without one, that is the whole row.
  var id: Int?
  /// The position of the column that names a row.
  var name: Int?
  /// The position of the column with the place, or those of the latitude and of the longitude.
  var place: [Int] = []
  /// The positions of up to three columns of numbers that rows are ordered by.
  var numbers: [Int] = []

  /// Finds out how to read a table from all of its rows.
  init(of rows: [OpenRow]) {
    var survey = ColumnSurvey()
    for row in rows { survey.add(row) }
    let all = survey.columns
    columns = all.map { column in
      Column(
        name: column.name, kind: column.isPlace ? "place" : column.isNumber ? "number" : "text",
        filled: column.filled, example: column.example)
    }
    id = Self.identifier(all, rowCount: rows.count)
    place = Self.place(all)
    let taken = Set([id].compactMap { $0 } + place)
    name = Self.title(all, besides: taken)
    numbers = Array(
      all.indices.filter { all[$0].isNumber && !taken.contains($0) && $0 != name }.prefix(3))
  }

  private static let idNames: Set = [
    "id", "_id", ":id", "objectid", "fid", "gid", "uuid", "guid", "key", "code", "no", "no.",
    "number",
    "identifier", "sno", "編號", "代碼", "代號", "序號", "번호", "코드",
  ]
  private static let titleNames = [
    "name", "title", "label", "名稱", "名字", "站名", "中文名稱", "이름", "명칭", "nom", "nombre", "bezeichnung",
  ]
  private static let pairs = [
    ("latitude", "longitude"), ("lat", "lng"), ("lat", "lon"), ("lat", "long"), ("緯度", "經度"),
    ("纬度", "经度"),
    ("위도", "경도"), ("y", "x"), ("stop_lat", "stop_lon"), ("geo_lat", "geo_lon"), ("wgsy", "wgsx"),
  ]

  private static func identifier(_ columns: [SurveyedColumn], rowCount: Int) -> Int? {
    guard rowCount > 0 else { return nil }
    func isGood(_ column: SurveyedColumn, _ part: Double) -> Bool {
      Double(column.filled) >= Double(rowCount) * part
        && Double(column.distinct) >= Double(column.filled) * part
    }
    let named = columns.indices.filter { place in
      let name = columns[place].name.lowercased()
      return idNames.contains(name) || name.hasSuffix("_id") || name.hasSuffix(" id")
        || columns[place].name.hasSuffix("ID")
    }
    // A dirty source repeats some IDs, and leaves some out.
    let exact = named.filter { idNames.contains(columns[$0].name.lowercased()) }
    if let best = (exact + named).first(where: { isGood(columns[$0], 0.8) }) { return best }
    guard let first = columns.first, !first.isPlace, !first.hasFraction, isGood(first, 1) else {
      return nil
    }
    return 0
  }

  private static func title(_ columns: [SurveyedColumn], besides taken: Set<Int>) -> Int? {
    let free = columns.indices.filter {
      !taken.contains($0) && !columns[$0].isPlace && !columns[$0].isNumber
    }
    let names = columns.map { $0.name.lowercased() }
    for name in titleNames {
      if let place = free.first(where: { names[$0] == name }) { return place }
    }
    for name in titleNames {
      if let place = free.first(where: { names[$0].contains(name) }) { return place }
    }
    // Words are names rather than codes.
    return free.max {
      let (left, right) = (columns[$0], columns[$1])
      return (left.isWordy ? 1 : 0, left.distinct) < (right.isWordy ? 1 : 0, right.distinct)
    }
  }

  private static func place(_ columns: [SurveyedColumn]) -> [Int] {
    if let whole = columns.indices.filter({ columns[$0].isPlace }).max(by: {
      columns[$0].places < columns[$1].places
    }) {
      return [whole]
    }
    let names = columns.map { $0.name.lowercased() }
    for (latitude, longitude) in pairs {
      if let first = names.firstIndex(of: latitude), let second = names.firstIndex(of: longitude),
        columns[first].numbers > 0, columns[second].numbers > 0
      {
        return [first, second]
      }
    }
    return []
  }

  // MARK: Reading

  /// A text that differs if rows are read in another way.
  var fingerprint: String {
    var sum = Checksum()
    for column in columns { sum.add(column.name) }
    for place in [id, name].map({ $0 ?? -1 }) + place + [-2] + numbers { sum.add("\(place)") }
    return "own/1 \(sum.text)"
  }

  // atlas:begin own
  /// Returns the records of a batch of rows. A row without an ID, or with coordinates that no place has, isn't lost
  /// silently: the first is a failure, and the second is counted.
  func batch(of rows: Batch<OpenRow>, unreadable: inout Int) -> Batch<OwnRow> {
    var positions = Dictionary(minimumCapacity: columns.count) as [String: Int]
    for (place, column) in columns.enumerated() { positions[column.name] = place }
    var batch = Batch<OwnRow>(records: [], failures: rows.failures, facts: rows.facts)
    let failed = Set(rows.failures.map(\.index))
    var index = -1
    for row in rows.records {
      repeat { index += 1 } while failed.contains(index)
      guard let record = OwnRow(row, positions, self, &unreadable) else {
        let column = id.map { columns[$0].name } ?? ""
        batch.failures.append(
          RowFailure(
            index: index, excerpt: row.cells.prefix(6).map(\.text).joined(separator: ", "),
            reason: "It has no \(column), which identifies rows."))
        continue
      }
      batch.records.append(record)
    }
    batch.failures.sort { $0.index < $1.index }
    return batch
  }
  // atlas:end own
}

/// A summary of a column after some rows.
private struct SurveyedColumn {
  var name: String
  var filled = 0
  var numbers = 0
  var places = 0
  var example = ""
  var hasFraction = false
  private var words = 0
  private var values: Set<Int> = []

  init(name: String) { self.name = name }

  var distinct: Int { values.count }
  var isWordy: Bool { words * 2 > filled }
  var isPlace: Bool { places > 0 && places * 10 >= filled * 8 }
  var isNumber: Bool { numbers > 0 && numbers * 10 >= filled * 9 }

  mutating func add(_ cell: OpenRow.Cell) {
    filled += 1
    values.insert(cell.text.hashValue)
    if example.isEmpty { example = String(cell.text.prefix(60)) }
    if cell.place != nil { places += 1 }
    let letters = cell.text.prefix(60).count { $0.isLetter }
    if letters > 1, letters * 3 > min(cell.text.count, 60) * 2 { words += 1 }
    guard let number = OwnRow.number(cell.text) else { return }
    numbers += 1
    if number != number.rounded() { hasFraction = true }
  }
}

private struct ColumnSurvey {
  private(set) var columns: [SurveyedColumn] = []
  private var positions: [String: Int] = [:]

  mutating func add(_ row: OpenRow) {
    for cell in row.cells {
      let place = positions[cell.column] ?? columns.count
      if place == columns.count {
        guard columns.count < OwnLimits.columns else { continue }
        positions[cell.column] = place
        columns.append(SurveyedColumn(name: cell.column))
      }
      columns[place].add(cell)
    }
  }
}
