internal import FieldCore
internal import FieldFoundation

/// A row of the source, whose columns are found by name, ignoring case.
///
/// Lookups distinguish two cases that the old code confused: `nil` is a missing column, which keeps
/// the stored value, and `.some(nil)` is an empty one, which removes it.
struct CivicRow {
  private let cells: [String: JSONValue]

  /// Creates a row from a JSON object, with the cells of a table's columns; `nil` if the value isn't
  /// an object.
  init?(_ value: JSONValue, of table: CivicTable) {
    guard case .object(let members) = value else { return nil }
    var cells: [String: JSONValue] = [:]
    let names = table.columnNames
    for member in members {
      let name = CleanText.value(member.key)?.lowercased() ?? ""
      if names.contains(name) { cells[name] = member.value }
    }
    self.cells = cells
  }

  /// Returns the text of the first of these columns that exists, with numbers as they are written.
  func text(_ names: String...) -> String?? {
    for name in names {
      switch cells[name.lowercased()] {
      case .string(let text), .number(let text):
        // `NA` may be a search text, but in a column it stands for a missing value.
        return .some(CleanText.value(text).flatMap { RowText.isVoid($0) ? nil : $0 })
      case .bool(let flag): return .some(flag ? "1" : "0")
      case .null: return .some(nil)
      // An array or an object isn't text, and says nothing about the stored text.
      case .array, .object, nil: continue
      }
    }
    return nil
  }

  /// Returns the key of the row, or `nil` if the row has none.
  func key(_ name: String) -> String? { text(name) ?? nil }

  /// Returns the ID in a column, without the `.0` that a spreadsheet appends, or `nil` if there is
  /// none.
  func id(_ name: String) -> String? { key(name).map(RowText.plainID) }

  func integer(_ name: String) -> Int?? {
    guard let text = text(name) else { return nil }
    return .some(text.flatMap { JSONValue.string($0).integer })
  }

  /// Returns the Unix seconds in a column, which don't fit an `Int` of 32 bits after 2038.
  private func seconds(_ name: String) -> Int64?? {
    guard let text = text(name) else { return nil }
    return .some(text.flatMap { JSONValue.string($0).int64 })
  }

  /// Returns the date in a column of Unix seconds; 0 means none.
  func date(_ name: String) -> Date?? {
    guard let seconds = seconds(name) else { return nil }
    return .some(seconds.flatMap { $0 == 0 ? nil : Date(timeIntervalSince1970: Double($0)) })
  }

  /// A Boolean value that indicates whether the row is marked as deleted.
  var isDeleted: Bool {
    guard let text = text("isDelete") ?? nil else { return false }
    return (JSONValue.string(text).integer ?? (text.lowercased() == "true" ? 1 : 0)) != 0
  }

  /// The time of the last change, in Unix seconds. The old database spells the column in another
  /// case, which makes no difference here.
  var changedAt: Int64? { seconds("lastUpdateTime") ?? nil }
}

enum CleanText {
  /// Returns the text without white space, byte-order marks, and null characters at its ends; `nil`
  /// if it is blank or the word `null`.
  static func value(_ text: String) -> String? {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return nil }
    let trimmed = String(scalars[first...last])
    return trimmed.utf8.count == 4 && trimmed.lowercased() == "null" ? nil : trimmed
  }

  /// Returns the words of a column that may contain several.
  static func words(_ text: String?) -> [String] {
    (text ?? "").split { ",，、;；|/\n\r\t".contains($0) }.compactMap { value(String($0)) }.uniqued()
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.value == 0xFEFF || scalar.value == 0
      || (0x1C...0x1F).contains(scalar.value)
  }
}
