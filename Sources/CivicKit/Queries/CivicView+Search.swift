internal import FieldCore

extension CivicView {
  /// The units that a search finds, the best first.
  ///
  /// In order: those in which more of the words were found; then those whose name is the whole text, whose
  /// name begins with a word, whose name has one, that a keyword or synonym leads to, and the others; then
  /// by the order of the table of units.
  public func search(_ search: CivicSearch) -> [CivicHit] {
    var finder = UnitFinder(search, in: self)
    return finder.hits()
  }

  /// How many units a search finds, its limit left aside.
  public func count(_ search: CivicSearch) -> Int {
    var finder = UnitFinder(search, in: self)
    return finder.count()
  }
}

/// One search over the units of a view.
private struct UnitFinder {
  /// What is known of the unit in a slot.
  private struct Mark {
    var count: UInt16 = 0
    /// The number of the last word that was counted, from 1.
    var last: UInt16 = 0
    var fields: UInt8 = 0
    var rank: UInt8 = .max
  }

  private enum Rank {
    static let whole: UInt8 = 0
    static let beginning: UInt8 = 1
    static let name: UInt8 = 2
    static let word: UInt8 = 3
    static let details: UInt8 = 4
  }

  private let view: CivicView
  private let search: CivicSearch
  private let tokens: [String]
  private let needed: UInt16
  private var marks: [Mark] = []

  init(_ search: CivicSearch, in view: CivicView) {
    self.view = view
    self.search = search
    // More words than these cannot be told apart, and nobody types as many.
    tokens = Array(search.tokens.prefix(1_000))
    needed = search.words == .all ? UInt16(tokens.count) : 1
  }

  mutating func count() -> Int {
    look()
    var count = 0
    for mark in marks where mark.count >= needed { count += 1 }
    return count
  }

  mutating func hits() -> [CivicHit] {
    look()
    // By slot within equal rank, which is the order of the table.
    var order: [UInt64] = []
    for (slot, mark) in marks.enumerated() where mark.count > 0 && mark.count >= needed {
      order.append(
        UInt64(UInt16.max - mark.count) << 40 | UInt64(mark.rank) << 32 | UInt64(UInt32(slot)))
    }
    order.sort()
    let wanted = search.limit.map { min(max(0, $0), order.count) } ?? order.count
    var hits: [CivicHit] = []
    hits.reserveCapacity(wanted)
    for key in order.prefix(wanted) {
      let slot = Int(key & 0xFFFF_FFFF)
      guard case .unit(let unit)? = view.snapshot.record(at: slot) else { continue }
      let mark = marks[slot]
      hits.append(
        CivicHit(
          unit: unit, fields: CivicSearch.Fields(rawValue: mark.fields),
          wordCount: Int(mark.count), tokens: tokens))
    }
    return hits
  }

  private mutating func look() {
    guard !tokens.isEmpty else { return }
    marks = Array(repeating: Mark(), count: view.snapshot.slotLimit)
    let whole = TextFolding.foldedBytes(of: search.text)
    for (position, token) in tokens.enumerated() {
      let number = UInt16(position + 1)
      if search.fields.contains(.name) { lookAtNames(token, number, whole) }
      if search.fields.contains(.details) { lookAtDetails(token, number) }
      if search.fields.contains(.keywords) {
        lookAtWords(view.indexes.words.keywords, token, number, .keywords)
      }
      if search.fields.contains(.synonyms) {
        lookAtWords(view.indexes.words.synonyms, token, number, .synonyms)
      }
    }
  }

  private mutating func lookAtNames(_ token: String, _ number: UInt16, _ whole: [UInt8]) {
    let text = view.indexes.text
    let bytes = Array(token.utf8)
    for hit in text.base.names.matches(token) {
      let slot = Int(hit)
      guard text.isUnchanged || text.record(at: slot, in: view.snapshot) != nil else { continue }
      let rank: UInt8 =
        if text.base.names.beginning(of: slot, with: whole) == .equal { Rank.whole } else {
          text.base.names.beginning(of: slot, with: bytes) == .other ? Rank.name : Rank.beginning
        }
      note(slot, number, .name, rank)
    }
    for case .unit(let unit) in text.changed {
      let name = TextFolding.foldedBytes(of: unit.name)
      guard WordTest.contains(name, bytes) else { continue }
      let rank =
        name == whole ? Rank.whole : name.starts(with: bytes) ? Rank.beginning : Rank.name
      note(unit, number, .name, rank)
    }
  }

  private mutating func lookAtDetails(_ token: String, _ number: UInt16) {
    let text = view.indexes.text
    for hit in text.base.details.matches(token) {
      let slot = Int(hit)
      guard text.isUnchanged || text.record(at: slot, in: view.snapshot) != nil else { continue }
      note(slot, number, .details, Rank.details)
    }
    let bytes = Array(token.utf8)
    for case .unit(let unit) in text.changed {
      guard WordTest.contains(TextFolding.foldedBytes(of: unit.details ?? ""), bytes)
      else { continue }
      note(unit, number, .details, Rank.details)
    }
  }

  private mutating func lookAtWords(
    _ words: [CivicUnit.ID: [String]], _ token: String, _ number: UInt16,
    _ field: CivicSearch.Fields
  ) {
    let bytes = Array(token.utf8)
    for (id, words) in words
    where words.contains(where: { WordTest.contains(Array($0.utf8), bytes) }) {
      guard let slot = view.snapshot.slot(of: CivicRecord.ID(.unit, id.rawValue)) else { continue }
      note(slot, number, field, Rank.word)
    }
  }

  private mutating func note(
    _ unit: CivicUnit, _ number: UInt16, _ field: CivicSearch.Fields, _ rank: UInt8
  ) {
    guard let slot = view.snapshot.slot(of: CivicRecord.ID(.unit, unit.id.rawValue))
    else { return }
    note(slot, number, field, rank)
  }

  private mutating func note(
    _ slot: Int, _ number: UInt16, _ field: CivicSearch.Fields, _ rank: UInt8
  ) {
    if marks[slot].last != number {
      marks[slot].last = number
      marks[slot].count += 1
    }
    marks[slot].fields |= field.rawValue
    marks[slot].rank = min(marks[slot].rank, rank)
  }
}
