public import FieldPortals

/// A query for meteorites as a portal can answer it, and what is left to do with its rows.
///
/// The portal's rows are a superset of the answer, the tightest that is safe; the ``remainder``, asked of
/// those rows, gives exactly what the whole query gives on all rows.
///
/// ```swift
/// let wanted = MeteoriteQuery(fall: .fell, years: 2011..., text: "chelyab")
/// let portal = wanted.soql()
/// portal.query.parameters()          // [("$where", "fall = 'Fell' AND year >= '2011-01-01T00:00:00.000'")]
/// portal.remainder.find(in: rows)    // the name is compared here
/// ```
///
/// What goes to the portal, and what stays:
///
/// | part | portal | remainder |
/// |---|---|---|
/// | fall, name type | equality | nothing, unless the word is unknown or odd |
/// | years | timestamps | nothing from 1583 on; earlier years are asked for with a year to spare, since exports disagree on the calendar |
/// | mass | numbers, one step of a `Double` wider | the mass: the portal has more digits than a `Double` |
/// | classes | the class, alone or with a blank at its end or beginning | the classes |
/// | groups of classes | the beginnings that the group's classes have | the groups |
/// | box | boxes between -180° and 180°, and what lies beyond unless it has to be plausible | the box |
/// | circle | a circle 3 % and 100 m wider, up to 100 km and 60° of latitude; else the box around it | the circle |
/// | plausible only | a place is there | plausibility |
/// | text | nothing: the portal tells upper from lower case, and what it takes diacritics for is not known | the text |
/// | order, limit, offset | nothing: ties go by the number that `id` spells, which is a text on the portal | all of it |
///
/// With the order ``MeteoriteQuery/Order/source`` the rows have to be in the order of their source.
public struct MeteoriteSoQL: Hashable, Sendable {
  /// What to ask the portal: a condition, and nothing on columns, order and pages.
  public var query: SoQL.Query
  /// What to ask of the rows that the portal gives.
  public var remainder: MeteoriteQuery

  /// Compiles a query for the columns of a dataset.
  public init(_ query: MeteoriteQuery, columns: MeteoriteColumns = MeteoriteColumns()) {
    var compiler = MeteoriteSoQLCompiler(query, columns: columns)
    compiler.compile()
    self.query = SoQL.Query(where: compiler.condition == .always ? nil : compiler.condition)
    remainder = compiler.remainder
  }

  /// Whether the portal's rows are the answer, with nothing left to do.
  public var isExact: Bool { remainder == MeteoriteQuery() }

  /// Whether the portal's rows are those that meet all conditions, so that its `count(*)` is right; an
  /// order, a limit and an offset may be left to do.
  public var isFilterExact: Bool {
    // Nothing is asked for where nothing is wanted.
    if let limit = remainder.limit, limit <= 0 { return false }
    var conditions = remainder
    conditions.order = .source
    conditions.limit = nil
    conditions.offset = 0
    return conditions == MeteoriteQuery()
  }
}

extension MeteoriteQuery {
  /// The query as a portal can answer it, and what is left to do with its rows.
  public func soql(columns: MeteoriteColumns = MeteoriteColumns()) -> MeteoriteSoQL {
    MeteoriteSoQL(self, columns: columns)
  }
}
