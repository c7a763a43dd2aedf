internal import FieldCore

/// The lookup tables of a view, created on first use.
final class CivicIndexes: Sendable {
  /// An index of one text of the units, by slot; the texts of other records are empty.
  typealias TextIndex = DerivedIndex<CivicRecord, SubstringIndex>

  private struct Built: Sendable {
    var tables: CivicTables?
    var names: TextIndex?
    var details: TextIndex?
    var words: SearchWords?
  }

  private let snapshot: Snapshot<CivicRecord>
  /// The indexes of an earlier view, to be reused.
  private let earlier: (names: TextIndex?, details: TextIndex?)
  private let built = Lock(Built())

  init(of snapshot: Snapshot<CivicRecord>, after indexes: CivicIndexes? = nil) {
    self.snapshot = snapshot
    let built = indexes?.built.withLock { $0 }
    earlier = (
      built?.names ?? indexes?.earlier.names, built?.details ?? indexes?.earlier.details
    )
  }

  var tables: CivicTables {
    built.withLock { $0.tables.making { CivicTables(of: snapshot) } }
  }

  /// The names of the units.
  var names: TextIndex {
    built.withLock { built in
      built.names.making { index({ $0.name }, stored: { $0.name }, reusing: earlier.names) }
    }
  }

  /// The descriptions of the units.
  var details: TextIndex {
    built.withLock { built in
      built.details.making {
        index({ $0.details }, stored: { $0.details }, reusing: earlier.details)
      }
    }
  }

  /// The keywords and synonyms of the units.
  var words: SearchWords {
    let tables = tables
    return built.withLock { $0.words.making { SearchWords(of: tables) } }
  }

  private func index(
    _ text: (CivicUnit) -> String?, stored: (CivicUnit.TextRanges) -> Range<Int>?,
    reusing earlier: TextIndex?
  ) -> TextIndex {
    TextIndex(of: snapshot, reusing: earlier) { SubstringIndex(of: $0, text: text, stored: stored) }
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
      if case .unit(let unit) = record, let text = text(unit) { builder.append(text, at: slot) }
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

  init(of tables: CivicTables) {
    for unit in tables.units where !unit.keywords.isEmpty {
      keywords[unit.id] = unit.keywords.map(TextFolding.fold)
    }
    var texts: [CivicKeyword.ID: String] = [:]
    for keyword in tables.keywords { texts[keyword.id] = TextFolding.fold(keyword.text) }
    let units = Set(tables.units.lazy.map(\.id))
    for link in tables.keywordLinks {
      let unit = CivicUnit.ID(rawValue: link.objectID)
      guard units.contains(unit), let text = texts[link.keywordID] else { continue }
      keywords[unit, default: []].append(text)
    }
    for synonym in tables.synonyms where units.contains(synonym.unitID) {
      synonyms[synonym.unitID, default: []].append(TextFolding.fold(synonym.text))
    }
  }
}
