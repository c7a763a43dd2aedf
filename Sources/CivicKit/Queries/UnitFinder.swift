internal import FieldCore

/// One search over the units of a view.
struct UnitFinder {
  /// A match of a word in a field of the unit in a slot.
  private struct Match: Comparable {
    /// The sort key: the slot, the number of the word, the rank, and the field, most significant
    /// first.
    let key: UInt64

    init(_ slot: Int, word: Int, _ rank: Rank, _ field: CivicSearch.Fields) {
      key =
        UInt64(UInt32(slot)) << 32 | UInt64(UInt16(word)) << 16 | UInt64(rank.rawValue) << 8
        | UInt64(field.rawValue)
    }

    var slot: Int { Int(key >> 32) }
    var word: UInt16 { UInt16(truncatingIfNeeded: key >> 16) }
    var rank: UInt8 { UInt8(truncatingIfNeeded: key >> 8) }
    var field: UInt8 { UInt8(truncatingIfNeeded: key) }

    static func < (left: Match, right: Match) -> Bool { left.key < right.key }
  }

  /// A unit with its matches combined.
  private struct Candidate {
    let slot: Int
    var count: Int
    var lastWord: UInt16
    var rank: UInt8
    var fields: UInt8

    init(_ match: Match) {
      slot = match.slot
      count = 1
      lastWord = match.word
      rank = match.rank
      fields = match.field
    }

    mutating func add(_ match: Match) {
      if match.word != lastWord { count += 1 }
      lastWord = match.word
      rank = min(rank, match.rank)
      fields |= match.field
    }
  }

  /// The quality of a match, best first.
  private enum Rank: UInt8, CaseIterable { case whole, beginning, name, word, details }

  private let view: CivicView
  private let search: CivicSearch
  private let tokens: [String]
  private let needed: Int

  init(_ search: CivicSearch, in view: CivicView) {
    self.view = view
    self.search = search
    tokens = search.tokens
    needed = search.words == .all ? tokens.count : 1
  }

  func count() -> Int {
    // With one word and one indexed field, each match is a unit.
    if tokens.count == 1, search.fields == .name || search.fields == .details {
      let texts = search.fields == .name ? view.indexes.names : view.indexes.details
      return texts.slots(containing: Array(tokens[0].utf8)).count
    }
    return candidates().count
  }

  func hits() -> [CivicHit] {
    let candidates = candidates()
    let order = Self.order(candidates, words: tokens.count)
    let wanted = search.limit.map { min(max(0, $0), order.count) } ?? order.count
    var hits: [CivicHit] = []
    hits.reserveCapacity(wanted)
    for place in order.prefix(wanted) {
      let candidate = candidates[place]
      guard case .unit(let unit)? = view.snapshot.record(at: candidate.slot) else { continue }
      hits.append(
        CivicHit(
          unit: unit, fields: CivicSearch.Fields(rawValue: candidate.fields),
          wordCount: candidate.count, tokens: tokens))
    }
    return hits
  }

  /// Returns the positions of the candidates, best first; equal ones stay in slot order, which is
  /// table order. There are few kinds of candidates, so they are sorted by counting.
  private static func order(_ candidates: [Candidate], words: Int) -> [Int] {
    let ranks = Rank.allCases.count
    let kind = { (candidate: Candidate) in (words - candidate.count) * ranks + Int(candidate.rank) }
    var starts = [Int](repeating: 0, count: max(1, words) * ranks + 1)
    for candidate in candidates { starts[kind(candidate) + 1] += 1 }
    for place in starts.indices.dropFirst() { starts[place] += starts[place - 1] }
    var order = [Int](repeating: 0, count: candidates.count)
    for (place, candidate) in candidates.enumerated() {
      order[starts[kind(candidate)]] = place
      starts[kind(candidate)] += 1
    }
    return order
  }

  // MARK: Matching

  /// Returns the units that contain enough of the words, by slot.
  private func candidates() -> [Candidate] {
    let matches = matches()
    var candidates: [Candidate] = []
    candidates.reserveCapacity(matches.count)
    for match in matches {
      if let last = candidates.last, last.slot == match.slot {
        candidates[candidates.count - 1].add(match)
      } else {
        candidates.append(Candidate(match))
      }
    }
    if needed > 1 { candidates.removeAll { $0.count < needed } }
    return candidates
  }

  /// Returns every match, by slot and then by word.
  private func matches() -> [Match] {
    var matches: [Match] = []
    var lists = 0
    let whole = TextFolding.foldedBytes(of: search.text)
    for (word, token) in tokens.enumerated() {
      let bytes = Array(token.utf8)
      if search.fields.contains(.name), lookAtNames(bytes, word, whole, &matches) { lists += 1 }
      if search.fields.contains(.details), lookAtDetails(bytes, word, &matches) { lists += 1 }
      if search.fields.contains(.keywords) {
        lists += look(at: view.indexes.words.keywords, bytes, word, .keywords, &matches)
      }
      if search.fields.contains(.synonyms) {
        lists += look(at: view.indexes.words.synonyms, bytes, word, .synonyms, &matches)
      }
    }
    // A single list is already sorted by slot.
    if lists > 1 { matches.sort() }
    return matches
  }

  /// Adds the matches of a word in names, by slot, and returns whether there is any.
  private func lookAtNames(
    _ bytes: [UInt8], _ word: Int, _ whole: [UInt8], _ matches: inout [Match]
  ) -> Bool {
    let names = view.indexes.names
    // With one word, the word is the whole text.
    let isWhole = bytes == whole
    let found = names.matches(beginningWith: bytes)
    for (slot, beginning) in found {
      var rank: Rank =
        switch beginning {
        case .equal: isWhole ? .whole : .beginning
        case .begins: .beginning
        case .other: .name
        }
      if !isWhole, names.beginning(of: slot, with: whole) == .equal { rank = .whole }
      matches.append(Match(Int(slot), word: word, rank, .name))
    }
    return !found.isEmpty
  }

  private func lookAtDetails(_ bytes: [UInt8], _ word: Int, _ matches: inout [Match]) -> Bool {
    let found = view.indexes.details.slots(containing: bytes)
    for slot in found { matches.append(Match(Int(slot), word: word, .details, .details)) }
    return !found.isEmpty
  }

  /// Adds the matches of a word in linked words, in any order, and returns their number.
  private func look(
    at words: [CivicUnit.ID: [String]], _ bytes: [UInt8], _ word: Int,
    _ field: CivicSearch.Fields, _ matches: inout [Match]
  ) -> Int {
    let before = matches.count
    for (id, words) in words
    where words.contains(where: { WordTest.contains(Array($0.utf8), bytes) }) {
      guard let slot = view.snapshot.slot(of: CivicRecord.ID(.unit, id.rawValue)) else { continue }
      matches.append(Match(slot, word: word, .word, field))
    }
    return matches.count - before
  }
}
