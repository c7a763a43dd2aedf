/// The columns by the keys of the body, resolved once for every key of a file instead of for every
/// row.
///
/// A key matches a column by one of its names, preferably exactly, and otherwise regardless of
/// case, full width, byte-order marks, and white space. If several keys of a row match one column,
/// one with a value wins, and among those the better match (with the lower rank): an exact one
/// before a loose one, and the usual name before the others.
struct RowSchema {
  /// A column and the quality of a key's match.
  struct Match {
    var column: Int
    var rank: UInt16
  }

  /// The number of unknown names to keep for the report.
  private static let mostUnknown = 200

  /// The number of columns that unknown names may become, because the cells of all columns are reset for every row.
  private static let mostOpen = 1000

  private(set) var isSeen: [Bool] = []
  private(set) var unknown: [String] = []
  /// The keys of the body in the order of their first occurrence, as far as they are kept.
  private(set) var given: [String] = []
  private(set) var columns: [RowColumn] = []
  /// A Boolean value that indicates whether unknown names become columns.
  let isOpen: Bool
  private var unknownSet: Set<String> = []
  private var exact: [String: Match] = [:]
  private var loose: [String: Match] = [:]

  init(_ columns: [RowColumn], isOpen: Bool = false) {
    self.isOpen = isOpen
    append(columns)
  }

  /// Adds columns after those that are known.
  mutating func append(_ added: some Sequence<RowColumn>) {
    for names in added {
      let column = columns.count
      columns.append(names)
      isSeen.append(false)
      for (position, name) in names.names.enumerated() {
        let rank = UInt16(min(position, 999))
        if exact[name] == nil { exact[name] = Match(column: column, rank: rank) }
        let folded = Self.fold(name)
        if loose[folded] == nil { loose[folded] = Match(column: column, rank: rank + 1000) }
      }
    }
  }

  /// Returns the match of a key, or `nil`, without counting the key as seen.
  func match(_ key: String) -> Match? { exact[key] ?? loose[Self.fold(key)] }

  /// Returns the match of a key, or `nil`, and counts the key as seen or unknown.
  mutating func resolve(_ key: String) -> Match? {
    guard let match = match(key) ?? opened(key) else {
      if unknown.count < Self.mostUnknown, unknownSet.insert(key).inserted {
        unknown.append(key)
        given.append(key)
      }
      return nil
    }
    if !isSeen[match.column] { given.append(key) }
    isSeen[match.column] = true
    return match
  }

  /// Makes an unknown name a column if all are read, and returns its match.
  private mutating func opened(_ key: String) -> Match? {
    guard isOpen, !key.isEmpty, columns.count < Self.mostOpen else { return nil }
    append([RowColumn(key)])
    return exact[key]
  }

  /// Returns the match of a GeoJSON feature's own member, over which every property takes
  /// precedence.
  mutating func resolveFeatureMember(_ key: String) -> Match? {
    guard var match = match(key) ?? opened(key) else { return nil }
    isSeen[match.column] = true
    match.rank += 10_000
    return match
  }

  /// The usual names of the columns that no key has matched.
  var missing: [String] {
    zip(columns, isSeen).compactMap { column, isSeen in isSeen ? nil : column.names.first }
  }

  /// The first names of the first columns, for a message, because a table may have a hundred.
  var names: String { Self.list(columns.compactMap(\.names.first)) }

  /// Returns the first names of a list, for a message.
  static func list(_ names: [String]) -> String {
    let rest = names.count - 20
    return names.prefix(20).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Returns a name without what names may differ in.
  static func fold(_ key: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in key.unicodeScalars where !Span<UInt8>.isSpace(scalar.value) {
      let isFullWidth = (0xFF01...0xFF5E).contains(scalar.value)
      name.append(isFullWidth ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
    }
    return String(name).lowercased()
  }
}
