internal import FieldCore
internal import FieldPortals

/// Moves the conditions that a portal can evaluate from the remainder into a condition for the
/// portal.
struct MeteoriteSoQLCompiler {
  private let columns: MeteoriteColumns
  private(set) var condition = SoQL.Condition.always
  private(set) var remainder: MeteoriteQuery

  init(_ query: MeteoriteQuery, columns: MeteoriteColumns) {
    remainder = query
    self.columns = columns
    // The remainder keeps the limit because code that reads pages sets its own limit in the query.
    if let limit = remainder.limit, limit <= 0 { condition = .never }
    compileFall()
    compileNameType()
    compileYears()
    compileMasses()
    compileClasses()
    compileGroups()
    compilePlace()
  }

  private mutating func add(_ part: SoQL.Condition) { condition = condition && part }

  // MARK: Words

  private mutating func compileFall() {
    guard let word = remainder.fall?.rawValue, Self.isPlain(word) else { return }
    add(SoQL.column(columns.fall) == .text(word))
    remainder.fall = nil
  }

  /// A row without a name type is a valid meteorite.
  private mutating func compileNameType() {
    guard let nameType = remainder.nameType, Self.isPlain(nameType.rawValue) else { return }
    let column = SoQL.column(columns.nameType)
    let isEqual: SoQL.Condition = column == .text(nameType.rawValue)
    add(nameType == .valid ? isEqual || column.isNull : isEqual)
    remainder.nameType = nil
  }

  /// Whether a row's cell is read as this very word. Empty words and words such as `null` are read
  /// as nothing, and surrounding blanks are dropped. Beyond ASCII, Swift treats texts as equal
  /// whose bytes differ.
  private static func isPlain(_ word: String) -> Bool {
    guard let first = word.utf8.first, let last = word.utf8.last, word.utf8.allSatisfy({ $0 < 128 })
    else { return false }
    return first > UInt8(ascii: " ") && last > UInt8(ascii: " ") && !RowText.isVoid(word)
  }

  // MARK: Years

  /// The first year on which all calendars agree: CSV exports use the Julian calendar before 1582.
  private static let firstSureYear = 1583

  private mutating func compileYears() {
    guard let years = remainder.years else { return }
    let column = SoQL.column(columns.year)
    var parts: [SoQL.Condition] = []
    var isExact = true
    if let lower = years.lower {
      isExact = isExact && (Self.firstSureYear...9999).contains(lower)
      let year = min(lower < Self.firstSureYear ? lower - (lower > Int.min ? 1 : 0) : lower, 9999)
      if year > 0 { parts.append(column >= Self.start(ofYear: year)) }
    }
    if let upper = years.upper {
      // The first year after the range.
      let (next, overflows) = upper.addingReportingOverflow(years.includesUpper ? 1 : 0)
      let end = overflows ? Int.max : next
      isExact = isExact && (Self.firstSureYear...9999).contains(end)
      let year = end < Self.firstSureYear ? max(end, 0) + 1 : end
      if year <= 9999 { parts.append(column < Self.start(ofYear: year)) }
    }
    add(parts.isEmpty ? column.isNotNull : .all(parts))
    if isExact { remainder.years = nil }
  }

  private static func start(ofYear year: Int) -> SoQL.Value {
    .floatingTimestamp(verbatim: "\(year.digits(4))-01-01T00:00:00.000")
  }

  // MARK: Masses

  /// The portal compares decimals, while a meteorite has the nearest `Double`: `78.400000000000006`
  /// is 78.4 here and more than 78.4 there. All decimals that are read as a `Double` lie between
  /// its two neighbors.
  private mutating func compileMasses() {
    guard let masses = remainder.massInGrams else { return }
    let column = SoQL.column(columns.mass)
    var parts: [SoQL.Condition] = []
    if let lower = masses.lower {
      // No mass is negative or infinite. Nothing is less than NaN.
      if lower == .infinity { return add(.never) }
      if lower > 0 { parts.append(column >= .init(finite: lower.nextDown)) }
    }
    if let upper = masses.upper {
      guard masses.includesUpper ? upper >= 0 : upper > 0 else { return add(.never) }
      if masses.includesUpper, upper.nextUp.isFinite {
        parts.append(column <= .init(finite: upper.nextUp))
      } else if !masses.includesUpper, upper.isFinite {
        parts.append(column < .init(finite: upper))
      }
    }
    add(parts.isEmpty ? column.isNotNull : .all(parts))
  }

  // MARK: Classes

  /// The number of classes beyond which a list might not fit into a URL.
  private static let maximumClasses = 64

  /// Blanks around a class are ignored, so the query includes all rows that begin with a blank, and
  /// those with a blank after the class.
  private mutating func compileClasses() {
    guard let classes = remainder.classes else { return }
    let names = Set(classes.map(\.name)).sorted()
    guard !names.isEmpty else { return add(.never) }
    // A backslash might act as an escape where the portal turns `starts_with` into `LIKE`.
    guard names.count <= Self.maximumClasses,
      names.allSatisfy({ Self.isPlain($0) && !$0.utf8.contains(UInt8(ascii: "\\")) })
    else { return }
    let column = SoQL.column(columns.classification)
    var parts = [column.isIn(names.map(SoQL.Value.text))]
    parts += names.map { column.starts(with: .text($0 + " ")) }
    parts.append(column.starts(with: " "))
    parts.append(column.contains("\t"))
    add(.any(parts))
  }

  private mutating func compileGroups() {
    guard let groups = remainder.groups, !groups.contains(.unknown) else { return }
    let column = SoQL.column(columns.classification)
    var parts = Meteorite.ClassGroup.beginnings(of: groups).map { word, exceptions in
      exceptions.reduce(column.uppercased.starts(with: .text(word))) {
        $0 && !column.uppercased.starts(with: .text($1))
      }
    }
    if groups.contains(.fusionCrust) { parts.append(column.contains("usion crust")) }
    guard !parts.isEmpty else { return add(.never) }
    if !groups.isSubset(of: [.fusionCrust]) {
      // The class itself comes after the word and after any blanks.
      parts.append(column.starts(with: "Relict "))
      parts.append(column.starts(with: " "))
    }
    add(.any(parts))
  }

  // MARK: Places

  private mutating func compilePlace() {
    guard let name = columns.position else { return }
    let column = SoQL.column(name)
    let (box, circle, plausibleOnly) = (remainder.box, remainder.circle, remainder.plausibleOnly)
    if let box { add(SoQLArea(box).condition(column, plausibleOnly: plausibleOnly)) }
    if let circle { add(SoQLArea.condition(column, circle, plausibleOnly: plausibleOnly)) }
    if box == nil, circle == nil, plausibleOnly { add(column.isNotNull) }
  }
}
