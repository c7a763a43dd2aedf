internal import FieldCore

/// A row of one of the directory's tables: what can be created, inserted or replaced, deleted and listed.
///
/// The types of this module conform; there is no need for others.
public protocol CivicTableRow: Identifiable, Hashable, Codable, Sendable {
  /// The table that the rows are in.
  static var table: CivicTable { get }

  /// Why the row cannot be kept; empty when it can.
  var problems: [String] { get }

  /// All rows of the table, in the order in which they came.
  static func all(in view: CivicView) -> [Self]

  /// The row of a key, as an edit shows it.
  static func find(_ id: ID, in edit: CivicEdit) -> Self?

  /// Puts the row into an edit.
  func write(into edit: inout CivicEdit)

  /// Takes the row of a key out of an edit.
  static func remove(_ id: ID, from edit: inout CivicEdit)
}

/// The problems of a row's texts.
enum RowCheck {
  static func problems(keys: [(name: String, text: String)], name: String? = nil) -> [String] {
    var problems: [String] = []
    for key in keys {
      let clean = CleanText.value(key.text)
      if clean == nil {
        problems.append("\(key.name) is blank")
      } else if clean != key.text {
        problems.append("\(key.name) has space around it")
      }
    }
    if let name, CleanText.value(name) == nil { problems.append("name is blank") }
    return problems
  }
}
