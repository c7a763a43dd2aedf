internal import FieldCore

extension MeteoriteQuery {
  /// The meteorites of a list that the query finds, in its order, without its offset and up to its limit.
  ///
  /// It gives what ``MeteoriteView/find(_:)`` gives on a store with the same meteorites in the same
  /// order, by looking at each of them: right for the rows of one answer, slow for the same rows again
  /// and again.
  public func find(in meteorites: some Sequence<Meteorite>) -> [Meteorite] {
    let filter = MeteoriteFilter(self)
    var found = meteorites.filter {
      filter.admits($0) && filter.admitsPlace($0) && filter.admitsText($0)
    }
    order.sort(&found)
    return found.page(offset: offset, limit: limit)
  }
}
