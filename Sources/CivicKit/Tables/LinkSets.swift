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
  private var memberships = Sets<UnitMembership, CivicUnit.ID>()
  private var keywordLinks = Sets<KeywordLink, String>()
  private var synonyms = Sets<UnitSynonym, CivicUnit.ID>()

  mutating func takeMembership(_ row: CivicRow) throws(RowProblem) {
    let unit = CivicUnit.ID(rawValue: try CivicEdit.id("unitId", of: row))
    guard let category = row.id("categoryId") else {
      guard row.isDeleted else { throw RowProblem("the row has no categoryId") }
      return memberships.deleteAll(of: unit)
    }
    let link = UnitMembership(
      unitID: unit, categoryID: UnitCategory.ID(rawValue: category),
      updatedAt: row.date("lastUpdateTime") ?? nil)
    memberships.take(link, of: unit, isDeleted: row.isDeleted)
  }

  mutating func takeKeywordLink(_ row: CivicRow) throws(RowProblem) {
    let object = try CivicEdit.id("id", of: row)
    guard let keyword = row.id("keywordId") else {
      guard row.isDeleted else { throw RowProblem("the row has no keywordId") }
      return keywordLinks.deleteAll(of: object)
    }
    let link = KeywordLink(
      objectID: object, keywordID: CivicKeyword.ID(rawValue: keyword),
      updatedAt: row.date("lastUpdateTime") ?? nil)
    keywordLinks.take(link, of: object, isDeleted: row.isDeleted)
  }

  mutating func takeSynonym(_ row: CivicRow) throws(RowProblem) {
    let unit = CivicUnit.ID(rawValue: try CivicEdit.id("unitId", of: row))
    guard let text = row.key("keyword") else {
      guard row.isDeleted else { throw RowProblem("the row has no keyword") }
      return synonyms.deleteAll(of: unit)
    }
    synonyms.take(UnitSynonym(unitID: unit, text: text), of: unit, isDeleted: row.isDeleted)
  }

  /// Puts the sets in place.
  ///
  /// - Parameter cursor: The second from which on the server was asked; nil when it was asked for
  ///   everything, or not at all.
  func apply(to edit: inout CivicEdit, since cursor: Int?) {
    let asked = cursor.map { Date(timeIntervalSince1970: Double($0)) }
    for unit in memberships.order {
      let links = memberships.outcome(
        for: unit, over: edit.memberships(of: unit), since: asked, changedAt: \.updatedAt)
      edit.setMemberships(links, of: unit)
    }
    for object in keywordLinks.order {
      let links = keywordLinks.outcome(
        for: object, over: edit.keywordLinks(of: object), since: asked, changedAt: \.updatedAt)
      edit.setKeywordLinks(links, of: object)
    }
    for unit in synonyms.order {
      // They have no time.
      let words = synonyms.outcome(
        for: unit, over: edit.synonyms(of: unit), since: asked, changedAt: { _ in nil })
      edit.setSynonyms(words, of: unit)
    }
  }

  /// The links of one table by their owner.
  private struct Sets<Link: CivicTableRow, Owner: Hashable> {
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

    private(set) var order: [Owner] = []
    private var sets: [Owner: Rows] = [:]

    /// Takes a link; of two rows for one the later counts.
    mutating func take(_ link: Link, of owner: Owner, isDeleted: Bool) {
      note(owner) { rows in
        if isDeleted { rows.delete(link.id) } else { rows.add(link) }
      }
    }

    mutating func deleteAll(of owner: Owner) {
      note(owner) { $0.deleteAll() }
    }

    private mutating func note(_ owner: Owner, _ body: (inout Rows) -> Void) {
      if sets[owner] == nil { order.append(owner) }
      body(&sets[owner, default: Rows()])
    }

    /// The links of an owner from now on.
    func outcome(
      for owner: Owner, over stored: [Link], since asked: Date?, changedAt: (Link) -> Date?
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
