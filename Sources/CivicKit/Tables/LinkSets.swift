internal import FieldCore
internal import FieldFoundation

/// The links of a response, grouped by the ID for which they are replaced.
///
/// The server rewrites all links of an ID when one of them changes: in the old data, 61 of the 62
/// units with several links have the same time for all of them. So the links that it returns for an
/// ID are the whole set. The exception is a set that was requested with a cursor and is already
/// stored exactly: it is returned again because the cursor's own second is included. Then older
/// links of the ID are kept, and only links of that second or later that weren't returned with it
/// are removed.
struct LinkSets {
  private var memberships = Sets<UnitMembership>()
  private var keywordLinks = Sets<KeywordLink>()
  private var synonyms = Sets<UnitSynonym>()

  mutating func takeMembership(_ row: CivicRow) throws(RowProblem) {
    let unit = try CivicEdit.id("unitId", of: row)
    try memberships.take(row, of: unit, "categoryId", key: row.id("categoryId")) { category in
      UnitMembership(
        unitID: CivicUnit.ID(rawValue: unit), categoryID: UnitCategory.ID(rawValue: category),
        updatedAt: row.date("lastUpdateTime") ?? nil)
    }
  }

  mutating func takeKeywordLink(_ row: CivicRow) throws(RowProblem) {
    let object = try CivicEdit.id("id", of: row)
    try keywordLinks.take(row, of: object, "keywordId", key: row.id("keywordId")) { keyword in
      KeywordLink(
        objectID: object, keywordID: CivicKeyword.ID(rawValue: keyword),
        updatedAt: row.date("lastUpdateTime") ?? nil)
    }
  }

  mutating func takeSynonym(_ row: CivicRow) throws(RowProblem) {
    let unit = try CivicEdit.id("unitId", of: row)
    try synonyms.take(row, of: unit, "keyword", key: row.key("keyword")) { text in
      UnitSynonym(unitID: CivicUnit.ID(rawValue: unit), text: text)
    }
  }

  /// Applies the sets to an edit.
  ///
  /// - Parameter cursor: The second since which changes were requested; `nil` if everything was
  ///   requested or there was no request.
  func apply(to edit: inout CivicEdit, since cursor: Int64?) {
    let asked = cursor.map { Date(timeIntervalSince1970: Double($0)) }
    memberships.apply(to: &edit, since: asked, changedAt: \.updatedAt)
    keywordLinks.apply(to: &edit, since: asked, changedAt: \.updatedAt)
    synonyms.apply(to: &edit, since: asked) { _ in nil }  // they have no time
  }

  /// The links of one table, by owner.
  private struct Sets<Link: CivicTableRow> {
    /// The links returned for one owner.
    private struct Rows {
      /// The links in the order in which they were returned; `nil` where one was deleted again.
      private var slots: [Link?] = []
      private(set) var places: [Link.ID: Int] = [:]
      private(set) var deleted: Set<Link.ID> = []
      private(set) var deletesAll = false

      var live: [Link] { slots.compactMap(\.self) }

      /// Adds or deletes a link, or deletes all.
      mutating func take(_ link: Link?, isDeleted: Bool) {
        guard let link else { return (slots, places, deletesAll) = ([], [:], true) }
        if isDeleted {
          if let place = places.removeValue(forKey: link.id) { slots[place] = nil }
          deleted.insert(link.id)
        } else if let place = places[link.id] {
          slots[place] = link
        } else {
          places[link.id] = slots.count
          slots.append(link)
        }
      }
    }

    private var order: [String] = []
    private var sets: [String: Rows] = [:]

    /// Adds the link of a row; if two rows have the same link, the later one wins. A deleted row
    /// without the second key deletes all links of the owner.
    mutating func take(
      _ row: CivicRow, of owner: String, _ column: String, key: String?, link: (String) -> Link
    ) throws(RowProblem) {
      guard key != nil || row.isDeleted else { throw RowProblem("the row has no \(column)") }
      if sets[owner] == nil { order.append(owner) }
      sets[owner, default: Rows()].take(key.map(link), isDeleted: row.isDeleted)
    }

    /// Applies the sets to an edit.
    func apply(to edit: inout CivicEdit, since asked: Date?, changedAt: (Link) -> Date?) {
      for owner in order {
        let stored = edit.rows(Link.self, of: owner)
        edit.set(outcome(for: owner, over: stored, since: asked, changedAt: changedAt), of: owner)
      }
    }

    /// Returns the links that an owner has after the update.
    private func outcome(
      for owner: String, over stored: [Link], since asked: Date?, changedAt: (Link) -> Date?
    ) -> [Link] {
      guard let rows = sets[owner] else { return stored }
      let live = rows.live
      if rows.deletesAll { return live }
      let isEcho = asked != nil && Set(stored).isSuperset(of: live)
      if !live.isEmpty && !isEcho { return live }
      return stored.filter { link in
        if rows.places[link.id] != nil { return true }
        if rows.deleted.contains(link.id) { return false }
        // A link that changed since would have been returned with the others if it still existed.
        guard !live.isEmpty, let asked, let date = changedAt(link) else { return true }
        return date < asked
      }
    }
  }
}
