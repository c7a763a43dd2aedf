internal import FieldCore
internal import FieldFoundation

/// The links of an answer, gathered by the id that they are replaced for.
///
/// The server writes all links of an id anew when one of them changes: in the old data 61 of the 62 units
/// with several links have one time for all of them. So what it sends for an id is the whole set. Only
/// what was asked for after a cursor, and is stored to the letter, says little: it comes again because
/// the cursor's own second is asked for once more. Then older links of the id stay, and only those of
/// that second that did not come with it are gone.
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

  /// Puts the sets in place.
  ///
  /// - Parameter cursor: The second from which on the server was asked; nil when it was asked for
  ///   everything, or not at all.
  func apply(to edit: inout CivicEdit, since cursor: Int?) {
    let asked = cursor.map { Date(timeIntervalSince1970: Double($0)) }
    memberships.apply(to: &edit, since: asked, changedAt: \.updatedAt)
    keywordLinks.apply(to: &edit, since: asked, changedAt: \.updatedAt)
    synonyms.apply(to: &edit, since: asked) { _ in nil }  // they have no time
  }

  /// The links of one table by their owner.
  private struct Sets<Link: CivicTableRow> {
    /// What came for one owner.
    private struct Rows {
      /// The links in the order in which they came; nil where one was deleted again.
      private var slots: [Link?] = []
      private var places: [Link.ID: Int] = [:]
      private(set) var deleted: Set<Link.ID> = []
      private(set) var deletesAll = false

      var live: [Link] { slots.compactMap(\.self) }

      func isLive(_ id: Link.ID) -> Bool { places[id] != nil }

      mutating func add(_ link: Link) {
        if let place = places[link.id] {
          slots[place] = link
        } else {
          places[link.id] = slots.count
          slots.append(link)
        }
      }

      mutating func delete(_ id: Link.ID) {
        if let place = places.removeValue(forKey: id) { slots[place] = nil }
        deleted.insert(id)
      }

      mutating func deleteAll() {
        (slots, places, deletesAll) = ([], [:], true)
      }
    }

    private var order: [String] = []
    private var sets: [String: Rows] = [:]

    /// Takes the link of a row; of two rows for one the later counts. A deleted row without the other
    /// key deletes all links of the owner.
    mutating func take(
      _ row: CivicRow, of owner: String, _ column: String, key: String?, link: (String) -> Link
    ) throws(RowProblem) {
      guard key != nil || row.isDeleted else { throw RowProblem("the row has no \(column)") }
      if sets[owner] == nil { order.append(owner) }
      guard let link = key.map(link) else { return sets[owner, default: Rows()].deleteAll() }
      if row.isDeleted {
        sets[owner, default: Rows()].delete(link.id)
      } else {
        sets[owner, default: Rows()].add(link)
      }
    }

    /// Puts the sets in place.
    func apply(to edit: inout CivicEdit, since asked: Date?, changedAt: (Link) -> Date?) {
      for owner in order {
        let stored = edit.rows(Link.self, of: owner)
        edit.set(
          outcome(for: owner, over: stored, since: asked, changedAt: changedAt), of: owner)
      }
    }

    /// The links of an owner from now on.
    private func outcome(
      for owner: String, over stored: [Link], since asked: Date?, changedAt: (Link) -> Date?
    ) -> [Link] {
      guard let rows = sets[owner] else { return stored }
      let live = rows.live
      if rows.deletesAll { return live }
      let isEcho = asked != nil && Set(stored).isSuperset(of: live)
      if !live.isEmpty && !isEcho { return live }
      return stored.filter { link in
        if rows.isLive(link.id) { return true }
        if rows.deleted.contains(link.id) { return false }
        // One that was changed since would have come with the others, were it still there.
        guard !live.isEmpty, let asked, let date = changedAt(link) else { return true }
        return date < asked
      }
    }
  }
}
