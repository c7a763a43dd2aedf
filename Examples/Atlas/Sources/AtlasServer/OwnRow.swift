import FieldKit
import Foundation

// atlas:begin own
/// A row of a visitor's table, as it's stored and found.
struct OwnRow: CatalogRecord {
  static let indexes: [RecordIndex<OwnRow>] = [
    // A match lies within one cell.
    .text({ $0.cells.joined(separator: "\n") }), .order(\.name), .order(\.first), .order(\.second),
    .order(\.third), .place(\.coordinate),
  ]

  let id: String
  var name: String
  var coordinate: Coordinate?
  /// The texts of all columns in their order; blank ones are empty.
  var cells: [String]
  /// The lines of a shape, each of longitudes and latitudes in turn.
  var outline: [[Double]]?
  /// The values of the columns of numbers.
  var first: Double?
  var second: Double?
  var third: Double?
}
// atlas:end own

extension OwnRow {
  /// Creates the record of a row, or returns `nil` if it lacks the ID.
  init?(
    _ row: OpenRow, _ positions: [String: Int], _ plan: OwnPlan, _ unreadable: inout Int
  ) {
    var texts = Array(repeating: "", count: plan.columns.count)
    var whole: OpenRow.Cell?
    for cell in row.cells {
      guard let place = positions[cell.column] else { continue }
      texts[place] = cell.text
      if plan.place == [place] { whole = cell }
    }
    if let id = plan.id {
      guard !texts[id].isEmpty else { return nil }
      self.id = texts[id]
    } else {
      var sum = Checksum()
      for text in texts { sum.add(text) }
      id = sum.text
    }
    name = plan.name.map { texts[$0] } ?? ""
    if name.isEmpty { name = id }
    cells = texts
    outline = whole?.outline
    coordinate = whole?.place
    if plan.place.count == 2 {
      let pair = plan.place.map { texts[$0] }
      if let latitude = Self.number(pair[0]), let longitude = Self.number(pair[1]) {
        coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
      }
      if coordinate == nil, pair != ["", ""] { unreadable += 1 }
    } else if let place = plan.place.first, coordinate == nil, !texts[place].isEmpty {
      unreadable += 1
    }
    let numbers = plan.numbers.map { Self.number(texts[$0]) }
    if numbers.count > 0 { first = numbers[0] }
    if numbers.count > 1 { second = numbers[1] }
    if numbers.count > 2 { third = numbers[2] }
  }

  /// Returns the number that a text is.
  static func number(_ text: String) -> Double? {
    guard text.utf8.count < 40, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}
