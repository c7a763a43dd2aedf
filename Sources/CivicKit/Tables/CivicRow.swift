internal import FieldCore
internal import FieldFoundation

/// A row of the source, whose cells are found by name without regard to case.
///
/// Each look-up tells apart what old code took for the same: nil is a column that the row does not have,
/// which leaves what is stored; `.some(nil)` is one that says nothing, which takes it away.
struct CivicRow {
  private let cells: [String: JSONValue]

  /// Takes the cells of a JSON object; nil when the value is none.
  init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    var cells: [String: JSONValue] = [:]
    for member in members { cells[CleanText.value(member.key)?.lowercased() ?? ""] = member.value }
    self.cells = cells
  }

  /// The text of the first of these columns that is there, a number as it is written.
  func text(_ names: String...) -> String?? {
    for name in names {
      switch cells[name.lowercased()] {
      case .string(let text), .number(let text):
        // Somebody may search for `NA`, but in a cell it stands for a missing value.
        return .some(CleanText.value(text).flatMap { RowText.isVoid($0) ? nil : $0 })
      case .bool(let flag): return .some(flag ? "1" : "0")
      case .null: return .some(nil)
      // An array or an object is no text, and says nothing about the one that is stored.
      case .array, .object, nil: continue
      }
    }
    return nil
  }

  /// The key of the row; nil when the row has none.
  func key(_ name: String) -> String? { text(name) ?? nil }

  /// The ID in a column, without the `.0` that a spreadsheet appends; nil when the row has none.
  func id(_ name: String) -> String? { key(name).map(RowText.plainID) }

  /// The whole number of a column.
  func integer(_ name: String) -> Int?? {
    guard let text = text(name) else { return nil }
    return .some(text.flatMap { JSONValue.string($0).integer })
  }

  /// The moment of a column of Unix seconds; 0 says nothing.
  func date(_ name: String) -> Date?? {
    guard let seconds = integer(name) else { return nil }
    return .some(seconds.flatMap { $0 == 0 ? nil : Date(timeIntervalSince1970: Double($0)) })
  }

  /// Whether the row says that it is gone.
  var isDeleted: Bool {
    guard let text = text("isDelete") ?? nil else { return false }
    return (JSONValue.string(text).integer ?? (text.lowercased() == "true" ? 1 : 0)) != 0
  }

  /// When the row was last changed, in Unix seconds. The old database misspells the column, which here
  /// makes no difference.
  var changedAt: Int? { integer("lastUpdateTime") ?? nil }
}
