internal import FieldCore
internal import FieldFoundation

/// The input of a ``SODARowDecoder``: a whole row, a cell, or a value inside a cell.
enum SODANode {
  case row(SODARow)
  case cell(SODAValue)
  case json(JSONValue)

  /// The value as a cell; `nil` for a row and for null.
  var cell: SODAValue? {
    switch self {
    case .row: nil
    case .cell(let cell): cell
    case .json(let value): SODAValue(value)
    }
  }

  var isNull: Bool { if case .json(.null) = self { true } else { false } }

  var isBlank: Bool {
    guard let cell, !cell.isNested else { return false }
    return cell.text.allSatisfy(\.isWhitespace)
  }

  /// The values of an object's keys; `nil` if it isn't an object. Text that contains a JSON object
  /// counts as that object because portals write `human_address` that way.
  var members: [String: SODANode]? {
    switch self {
    case .row(let row):
      var members = row.cells.mapValues(SODANode.cell)
      members[":id"] = .cell(SODAValue(row.id.rawValue))
      return members
    case .cell, .json:
      guard case .object(let members) = json else { return nil }
      return Dictionary(members.map { ($0.key, .json($0.value)) }, uniquingKeysWith: { $1 })
    }
  }

  /// The elements of an array; `nil` if the value isn't one.
  var elements: [SODANode]? { json?.elements?.map { .json($0) } }

  /// The URL in text, or in the object of a URL column.
  var url: URL? {
    guard let cell else { return nil }
    if cell.isNested { return json?["url"]?.string.flatMap { URL(string: $0) } }
    return isBlank ? nil : URL(string: cell.text)
  }

  /// The number, with all its digits.
  var decimal: Decimal? {
    guard let cell, cell.double != nil else { return nil }
    return Decimal(string: cell.text.filter { !$0.isWhitespace && $0 != "," })
  }

  /// The beginning of the value, for a message.
  var excerpt: String {
    guard let cell else { return isNull ? "null" : "the row" }
    return cell.isNested ? String(cell.text.prefix(80)) : "\"\(cell.text.prefix(80))\""
  }

  private var json: JSONValue? {
    switch self {
    case .row: return nil
    case .json(.string(let text)): return Self.json(in: text)
    case .json(let value): return value
    case .cell(let cell): return Self.json(in: cell.text)
    }
  }

  private static func json(in text: String) -> JSONValue? {
    guard let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    do {
      return try JSONDocument.value(Array(text.utf8))
    } catch {
      return nil
    }
  }
}
