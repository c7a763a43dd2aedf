internal import FieldCore

extension MeteoriteQuery {
  /// Returns the matching meteorites in a sequence, applying the query's order, offset, and limit.
  ///
  /// The result is the same as that of ``MeteoriteView/find(_:)`` on a store with the same
  /// meteorites in the same order. The method tests every meteorite, which suits the rows of one
  /// response but is slow for repeated queries on the same rows.
  public func find(in meteorites: some Sequence<Meteorite>) -> [Meteorite] {
    let filter = MeteoriteFilter(self)
    var found = meteorites.filter {
      filter.admits($0) && filter.admitsPlace($0) && filter.admitsText($0)
    }
    order.sort(&found)
    return found.page(offset: offset, limit: limit)
  }
}
