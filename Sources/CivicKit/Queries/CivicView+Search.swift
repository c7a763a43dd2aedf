internal import FieldCore

extension CivicView {
  /// The units that a search finds, the best first.
  ///
  /// In order: those in which more of the words were found; then those whose name is the whole text, whose
  /// name begins with a word, whose name has one, that a keyword or synonym leads to, and the others; then
  /// by the order of the table of units.
  public func search(_ search: CivicSearch) -> [CivicHit] {
    UnitFinder(search, in: self).hits()
  }

  /// How many units a search finds, its limit left aside.
  public func count(_ search: CivicSearch) -> Int {
    UnitFinder(search, in: self).count()
  }
}
