internal import FieldCore

/// The lookup tables of a view, created on first use.
final class CivicIndexes: Sendable {
  /// The folded texts of the units, by slot; empty for other records.
  struct Texts: Sendable {
    let names: SubstringIndex
    let details: SubstringIndex
    /// The units themselves, each of which is a reference.
    let units: [CivicUnit?]
  }

  typealias TextIndex = DerivedIndex<CivicRecord, Texts>

  private struct Built: Sendable {
    var tables: CivicTables?
    var text: TextIndex?
    var words: SearchWords?
  }

  private let snapshot: Snapshot<CivicRecord>
  /// The index of an earlier view, to be reused.
  private let earlierText: TextIndex?
  private let built = Lock(Built())

  init(of snapshot: Snapshot<CivicRecord>, after earlier: CivicIndexes? = nil) {
    self.snapshot = snapshot
    earlierText = earlier.flatMap { indexes in
      indexes.built.withLock(\.text) ?? indexes.earlierText
    }
  }

  /// The tables.
  var tables: CivicTables {
    built.withLock { built in
      if let tables = built.tables { return tables }
      let tables = CivicTables(of: snapshot)
      built.tables = tables
      return tables
    }
  }

  /// The names and descriptions of the units.
  var text: TextIndex {
    built.withLock { built in
      if let text = built.text { return text }
      let text = TextIndex(of: snapshot, reusing: earlierText) { snapshot in
        var names = SubstringIndex.Builder()
        var details = SubstringIndex.Builder()
        var units: [CivicUnit?] = []
        units.reserveCapacity(snapshot.slotLimit)
        for slot in 0..<snapshot.slotLimit {
          if case .unit(let unit)? = snapshot.record(at: slot) {
            names.append(unit.name)
            details.append(unit.details ?? "")
            units.append(unit)
          } else {
            names.append("")
            details.append("")
            units.append(nil)
          }
        }
        return Texts(names: names.finish(), details: details.finish(), units: units)
      }
      built.text = text
      return text
    }
  }

  /// The keywords and synonyms of the units.
  var words: SearchWords {
    let tables = tables
    return built.withLock { built in
      if let words = built.words { return words }
      let words = SearchWords(of: tables)
      built.words = words
      return words
    }
  }
}

/// The folded words that are linked to units, for searches that include them.
struct SearchWords: Sendable {
  /// The words in the units' own column and in their linked keywords.
  private(set) var keywords: [CivicUnit.ID: [String]] = [:]
  /// The synonyms.
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
