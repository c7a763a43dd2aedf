internal import FieldCore

/// The indexes of a view, each of which the first query that needs it makes, and later views update.
struct CivicIndexes: Sendable {
  private typealias Kept<Index: Sendable> = KeptIndex<CivicRecord, Index>

  private let keptTables: Kept<CivicTables>
  private let keptNames: Kept<TextIndex>
  private let keptDetails: Kept<TextIndex>
  private let keptWords: Kept<SearchWords>

  init(of snapshot: Snapshot<CivicRecord>, after earlier: CivicIndexes?) {
    let content = IndexedSnapshot(snapshot)
    let tables = Kept(of: content, after: earlier?.keptTables, price: 0) {
      CivicTables(of: $0)
    } update: {
      $0.updated(by: $1)
    }
    keptTables = tables
    keptNames = Self.index(
      of: content, after: earlier?.keptNames, Self.nameForm, { $0.name }, stored: { $0.name })
    keptDetails = Self.index(
      of: content, after: earlier?.keptDetails, Self.detailsForm, { $0.details },
      stored: { $0.details })
    keptWords = Kept(of: content, after: earlier?.keptWords, price: 0) { _ in
      SearchWords(of: tables.index.rows)
    } update: { words, changes in
      SearchWords.areAffected(by: changes) ? SearchWords(of: tables.index.rows) : words
    }
  }

  /// The rows of all tables and their relations.
  var tables: CivicTables { keptTables.index }

  /// The names of the units by slot; the texts of other records are empty.
  var names: TextIndex { keptNames.index }

  /// The descriptions of the units by slot.
  var details: TextIndex { keptDetails.index }

  /// The keywords and synonyms of the units.
  var words: SearchWords { keptWords.index }

  // MARK: Texts

  private static let nameForm = TextIndex.form("names") { (record: CivicRecord) in
    [record.unit?.name]
  }
  private static let detailsForm = TextIndex.form("details") { (record: CivicRecord) in
    [record.unit?.details]
  }

  private static func index(
    of content: IndexedSnapshot<CivicRecord>, after earlier: Kept<TextIndex>?,
    _ form: IndexForm<CivicRecord, TextIndex>, _ text: @escaping @Sendable (CivicUnit) -> String?,
    stored: @escaping @Sendable (CivicUnit.TextRanges) -> Range<Int>?
  ) -> Kept<TextIndex> {
    Kept(of: content, after: earlier, price: 0, form: form) {
      TextIndex(SubstringIndex(of: $0, text: text, stored: stored))
    } update: { index, changes in
      index.updated(by: changes) { [$0.unit.flatMap(text)] }
    }
  }
}

extension SubstringIndex {
  /// Creates an index of one text of the units, by slot, without creating units that haven't been decoded.
  fileprivate init(
    of snapshot: Snapshot<CivicRecord>, text: (CivicUnit) -> String?,
    stored: (CivicUnit.TextRanges) -> Range<Int>?
  ) {
    var builder = Builder()
    builder.reserve(texts: snapshot.slotLimit, bytes: 32 * snapshot.count)
    snapshot.scan { slot, record in
      if let text = record.unit.flatMap(text) { builder.append(text, at: slot) }
      return true
    } stored: { slot, reader in
      if let range = try CivicRecord.unitTexts(reading: &reader).flatMap(stored) {
        builder.append(utf8: range, of: reader.bytes, at: slot)
      }
      return true
    }
    self = builder.finish(count: snapshot.slotLimit)
  }
}

/// The folded words that are linked to units, for searches that include them.
struct SearchWords: Sendable {
  /// The words in the units' own column and in their linked keywords.
  private(set) var keywords: [CivicUnit.ID: [String]] = [:]
  private(set) var synonyms: [CivicUnit.ID: [String]] = [:]

  init(of rows: CivicTables.Rows) {
    for unit in rows.units.all where !unit.keywords.isEmpty {
      keywords[unit.id] = unit.keywords.map(TextFolding.fold)
    }
    var texts: [CivicKeyword.ID: String] = [:]
    for keyword in rows.keywords.all { texts[keyword.id] = TextFolding.fold(keyword.text) }
    let units = Set(rows.units.all.lazy.map(\.id))
    for link in rows.keywordLinks.all {
      let unit = CivicUnit.ID(rawValue: link.objectID)
      guard units.contains(unit), let text = texts[link.keywordID] else { continue }
      keywords[unit, default: []].append(text)
    }
    for synonym in rows.synonyms.all where units.contains(synonym.unitID) {
      synonyms[synonym.unitID, default: []].append(TextFolding.fold(synonym.text))
    }
  }

  /// Returns whether other words may belong to the units after changes.
  static func areAffected(by changes: SlotChanges<CivicRecord>) -> Bool {
    changes.contains { before, after in
      if let before = before?.unit, let after = after?.unit {
        return before.keywords != after.keywords
      }
      return [before, after].contains { record in
        switch record?.id.table {
        case .unit, .keyword, .keywordLinks, .synonyms: true
        default: false
        }
      }
    }
  }
}

extension SlotChanges<CivicRecord> {
  /// Returns whether a record has changed in a way that matters.
  func contains(
    where matters: (_ before: CivicRecord?, _ after: CivicRecord?) -> Bool
  ) -> Bool {
    slots.contains { matters(earlierRecord(at: $0), record(at: $0)) }
  }
}
