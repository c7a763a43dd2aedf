import FieldKit

/// A row of a dataset whose columns aren't known beforehand, as text.
struct AnyRow: StoredRecord, RowReadable {
  let id = ""
  /// The cells by the names of their columns; missing values have none.
  var cells: [String: String] = [:]
  /// The locations among them.
  var places: [String: Coordinate] = [:]

  private struct Column: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private enum CodingKeys: String, CodingKey { case cells, places }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Column.self)
    for column in container.allKeys where try !container.decodeNil(forKey: column) {
      let cell = try container.decode(AnyCell.self, forKey: column)
      cells[column.stringValue] = cell.text
      guard cell.isNested || cell.text.hasPrefix("POINT") else { continue }
      places[column.stringValue] = try? container.decode(Coordinate.self, forKey: column)
    }
  }
}

/// A cell as text; one with an array or an object as JSON, whose strings have no quotes.
private struct AnyCell: Decodable {
  let text: String
  let isNested: Bool

  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      (self.text, isNested) = (text, false)
    } else if let members = try? decoder.container(keyedBy: Member.self) {
      let texts = members.allKeys.compactMap { key in
        (try? members.decode(AnyCell.self, forKey: key)).map { "\(key.stringValue): \($0.text)" }
      }
      (text, isNested) = ("{\(texts.joined(separator: ", "))}", true)
    } else {
      var elements = try decoder.unkeyedContainer()
      var texts: [String] = []
      while !elements.isAtEnd {
        if try elements.decodeNil() { continue }
        texts.append(try elements.decode(AnyCell.self).text)
      }
      (text, isNested) = ("[\(texts.joined(separator: ", "))]", true)
    }
  }
}
