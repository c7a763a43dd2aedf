public import FieldPortals

/// A query for a portal, and the remainder to run on the rows that the portal returns.
///
/// The portal returns a superset of the result, as small as is safe. Running the ``remainder`` on
/// those rows gives exactly what the whole query gives on all rows.
///
/// ```swift
/// let wanted = MeteoriteQuery(fall: .fell, years: 2011..., text: "chelyab")
/// let portal = wanted.soql()
/// portal.query.parameters()          // [("$where", "fall = 'Fell' AND year >= '2011-01-01T00:00:00.000'")]
/// portal.remainder.find(in: rows)    // the name is compared here
/// ```
///
/// The portal and the remainder divide the work as follows:
///
/// | part | portal | remainder |
/// |---|---|---|
/// | fall, name type | equality | nothing, unless the word is unknown or unusual |
/// | years | timestamps | nothing from 1583 on; earlier years get a margin of one year because exports disagree on the calendar |
/// | mass | numbers, wider by one step of a `Double` | the mass: the portal has more digits than a `Double` |
/// | classes | the class, alone or with a leading or trailing blank | the classes |
/// | groups of classes | the prefixes of the group's classes | the groups |
/// | box | boxes between -180° and 180°, and those beyond unless only plausible positions match | the box |
/// | circle | a circle wider by 3% and 100 m, up to 100 km and 60° of latitude; otherwise the box around it | the circle |
/// | plausible only | the position isn't null | plausibility |
/// | text | nothing: the portal is case-sensitive, and its treatment of diacritics is unknown | the text |
/// | order, limit, offset | nothing: ties are ordered by the number in `id`, which is text on the portal | all of it |
///
/// With the order ``MeteoriteQuery/Order/source``, the rows must be in source order.
public struct MeteoriteSoQL: Hashable, Sendable, Codable {
  /// The query for the portal: a condition, without columns, order, or pages.
  public var query: SoQL.Query
  /// The query to run on the rows that the portal returns.
  public var remainder: MeteoriteQuery

  /// Creates a query for the portal and its remainder.
  public init(_ query: MeteoriteQuery, columns: MeteoriteColumns = MeteoriteColumns()) {
    let compiler = MeteoriteSoQLCompiler(query, columns: columns)
    self.query = SoQL.Query(where: compiler.condition == .always ? nil : compiler.condition)
    remainder = compiler.remainder
  }

  /// A Boolean value that indicates whether the portal's rows are the final result.
  public var isExact: Bool { remainder == MeteoriteQuery() }

  /// A Boolean value that indicates whether exactly the portal's rows match, so `count(*)` is
  /// right.
  ///
  /// An order, a limit, and an offset may still remain.
  public var isFilterExact: Bool {
    // A limit of 0 compiles to a condition that never holds.
    if let limit = remainder.limit, limit <= 0 { return false }
    var conditions = remainder
    conditions.order = .source
    conditions.limit = nil
    conditions.offset = 0
    return conditions == MeteoriteQuery()
  }
}

extension MeteoriteQuery {
  /// Returns the query for a portal, and the remainder to run on the portal's rows.
  public func soql(columns: MeteoriteColumns = MeteoriteColumns()) -> MeteoriteSoQL {
    MeteoriteSoQL(self, columns: columns)
  }
}
