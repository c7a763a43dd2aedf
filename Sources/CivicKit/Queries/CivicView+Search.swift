internal import FieldCore

extension CivicView {
  /// Returns the units that match a search, best match first.
  ///
  /// Units in which more of the words were found come first. Among those, the order is: units whose
  /// name is the whole text, whose name begins with a word, whose name contains a word, that match
  /// by a keyword or synonym, and all others. Units that are still equal are in table order.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// for hit in view.search(CivicSearch("停車")) { show(hit.unit.name, hit.nameRanges) }
  /// ```
  public func search(_ search: CivicSearch) -> [CivicHit] { UnitFinder(search, in: self).hits() }

  /// Returns the number of units that match a search, ignoring its limit.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// show(view.count(CivicSearch("停車")))
  /// ```
  public func count(_ search: CivicSearch) -> Int { UnitFinder(search, in: self).count() }
}
