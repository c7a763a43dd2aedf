internal import FieldCore

extension MeteoriteQuery {
  /// Returns the matching meteorites in a sequence, applying the query's order, offset, and limit.
  ///
  /// The result is the same as that of ``MeteoriteView/find(_:)`` on a store with the same
  /// meteorites in the same order. The method tests every meteorite, which suits the rows of one
  /// response but is slow for repeated queries on the same rows.
  package func find(in meteorites: some Sequence<Meteorite>) -> [Meteorite] {
    let filter = MeteoriteFilter(self)
    return order.sorted(meteorites.filter(filter.admitsFully), upTo: end)
      .page(offset: offset, limit: limit)
  }

  /// The number of matches at the beginning that the limit and the offset leave to look at.
  var end: Int {
    guard let limit else { return .max }
    let (end, isTooLarge) = max(0, limit).addingReportingOverflow(max(0, offset))
    return isTooLarge ? .max : end
  }
}
