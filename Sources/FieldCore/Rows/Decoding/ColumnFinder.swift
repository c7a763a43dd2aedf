/// The columns of rows, or the members of an object in a cell, by the names that a reader asks for.
///
/// Rows are read in the same order, so a name is compared with the one that followed last time before it is searched.
final class ColumnFinder {
  /// A name that a reader has asked for.
  struct Entry {
    let name: String
    /// The position of its cell, or -1 if there is none.
    var column: Int
    /// A Boolean value that indicates whether this is the column of the ID.
    let isID: Bool
    /// A Boolean value that indicates whether the values are IDs; `nil` if that isn't known yet.
    var isIdentifier: Bool?
    /// Where a location with this name may be; `nil` if none has been asked for.
    var location: LocationColumns?
  }

  // For the reason, see ``RowCells``.
  @safe @exclusivity(unchecked) private(set) var entries: [Entry] = []
  /// The place of the entry that is expected next.
  @safe @exclusivity(unchecked) private var next = 0
  private var places: [String: Int] = [:]
  private let id: String?
  private let survey: ColumnSurvey?
  private var schema: RowSchema
  /// The names of an object's members.
  private let members: [String]

  /// Creates a finder of columns.
  ///
  /// - Parameters:
  ///   - survey: The columns, to which some may be added later.
  ///   - id: The name of the column of the ID.
  init(of survey: ColumnSurvey, id: String? = nil) {
    (self.survey, self.id) = (survey, id)
    schema = RowSchema(survey.columns)
    members = []
  }

  /// Creates a finder of the members of an object, of which the last one with a name counts.
  init(members: [String]) {
    (survey, id) = (nil, nil)
    schema = RowSchema([])
    self.members = members
  }

  /// The usual names of all columns, or of all members.
  var names: [String] { survey?.columns.compactMap(\.names.first) ?? members }

  /// Returns the place of a name's entry, which is created if the name is new.
  @inline(__always)
  func place(of name: String) -> Int {
    if next < entries.count, entries[next].name == name {
      next &+= 1
      return next &- 1
    }
    return search(name)
  }

  @inline(never)
  private func search(_ name: String) -> Int {
    // A reader may ask whether there is a value before it reads it.
    if next > 0, entries[next - 1].name == name { return next - 1 }
    let place = places[name] ?? entries.count
    if place == entries.count {
      entries.append(Entry(name: name, column: column(named: name), isID: name == id))
      places[name] = place
    }
    next = place + 1
    return place
  }

  /// Returns the position of an entry's cell, or -1 if there is none.
  @inline(__always)
  func column(at place: Int) -> Int {
    let column = entries[place].column
    return column >= 0 ? column : laterColumn(at: place)
  }

  /// Returns the column of an entry that had none, because a later row may have added it.
  @inline(never)
  private func laterColumn(at place: Int) -> Int {
    guard let survey, survey.columns.count > schema.columns.count else { return -1 }
    entries[place].column = column(named: entries[place].name)
    return entries[place].column
  }

  /// Returns the position of the column with a name, or -1 if there is none.
  func column(named name: String) -> Int {
    guard let survey else {
      let folded = RowSchema.fold(name)
      return members.lastIndex(of: name)
        ?? members.lastIndex { RowSchema.fold($0) == folded } ?? -1
    }
    schema.append(survey.columns.dropFirst(schema.columns.count))
    return schema.match(name)?.column ?? -1
  }

  /// Returns where a location may be that is asked for by the name of an entry.
  ///
  /// - Parameter isOnly: Whether it is the only location, so that it may be in columns of any name.
  func location(at place: Int, isOnly: Bool) -> LocationColumns {
    if let known = entries[place].location { return known }
    let location = LocationColumns(
      of: entries[place].name, isOnly: isOnly, column: { column(named: $0) })
    // In an object, all members are known.
    entries[place].location = location
    return location
  }

  /// Notes whether the values of an entry are IDs.
  func setIdentifier(_ isIdentifier: Bool, at place: Int) {
    entries[place].isIdentifier = isIdentifier
  }
}
