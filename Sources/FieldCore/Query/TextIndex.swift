/// The texts of a snapshot's records by slot, for substring searches.
///
/// The base covers all records of an earlier snapshot. Beside it is a small index of the texts that have changed
/// since, so a search after a small change costs hardly more than before.
package struct TextIndex: Sendable {
  let base: SubstringIndex
  /// The positions in ``added`` of the texts that differ from the base; -1 for none.
  private var changed = SlotOverlay<Int32>()
  /// The changed texts, oldest first, also those that have changed again.
  private var added: SubstringIndex
  /// The slots of these texts; -1 for those that have changed again.
  private var slots: [Int32] = []

  /// Creates an index of texts by slot.
  package init(_ base: SubstringIndex) {
    self.base = base
    added = SubstringIndex.Builder().finish()
  }

  /// A Boolean value that indicates whether nothing has changed since the base.
  var isBaseOnly: Bool { changed.slots.isEmpty && slots.isEmpty }

  // MARK: Queries

  /// Returns the slots of the records with a text that contains a query, ascending.
  ///
  /// A query that folds to an empty text matches nothing.
  package func slots(containing query: String) -> [Int32] {
    slots(containing: TextFolding.foldedBytes(of: query))
  }

  /// Returns the slots of the records with a text that contains a folded query, ascending.
  package func slots(containing folded: [UInt8]) -> [Int32] {
    guard !folded.isEmpty else { return [] }
    let found = base.matches(folded: folded[...])
    return changed.slots.isEmpty ? found : updated(found, added.matches(folded: folded[...]))
  }

  /// Returns the slots of the texts that contain the words of a query, ascending.
  ///
  /// A query that folds to an empty text matches every text.
  package func slots(containing query: String, words: SubstringIndex.Words) -> [Int32] {
    let found = base.matches(query, words: words)
    if changed.slots.isEmpty { return found }
    // Changed texts that are empty are in neither part.
    guard !TextFolding.foldedBytes(of: query).isEmpty else {
      return Array(0..<max(Int32(truncatingIfNeeded: base.count), (changed.slots.last ?? -1) + 1))
    }
    return updated(found, added.matches(query, words: words))
  }

  /// Returns the slots of those texts that the base found and that still hold, and of changed texts, ascending.
  private func updated(_ found: [Int32], _ new: [Int32]) -> [Int32] {
    let new = new.compactMap { slots[Int($0)] < 0 ? nil : slots[Int($0)] }
    return found.subtracting(sorted: changed.slots).merging(sorted: new.sorted())
  }

  /// Returns the slots of the records with a text that contains a folded query, ascending, with how their texts begin.
  package func matches(
    beginningWith folded: [UInt8]
  ) -> [(position: Int32, beginning: SubstringIndex.Beginning)] {
    let found = base.matches(beginningWith: folded)
    if changed.slots.isEmpty { return found }
    var matches = found.filter { !changed.slots.contains(sorted: $0.position) }
    for match in added.matches(beginningWith: folded) where slots[Int(match.position)] >= 0 {
      matches.append((slots[Int(match.position)], match.beginning))
    }
    matches.sort { $0.position < $1.position }
    return matches
  }

  /// Returns how the text in a slot begins, compared with a query that is already folded.
  package func beginning(of slot: Int32, with folded: [UInt8]) -> SubstringIndex.Beginning {
    if !changed.slots.isEmpty, let position = changed.value(at: slot) {
      return position < 0 ? .other : added.beginning(of: Int(position), with: folded)
    }
    return base.beginning(of: Int(slot), with: folded)
  }

  // MARK: Changes

  /// Returns the index after changes, in O(changes) and a copy of what has changed since the base.
  ///
  /// - Parameter texts: A closure that returns the texts of a record.
  package func updated<Record: StoredRecord>(
    by changes: SlotChanges<Record>, texts: (Record) -> [String?]
  ) -> Self {
    updated(at: changes.slots, limit: changes.after.slotLimit) { slot in
      changes.record(at: slot).map(texts) ?? []
    }
  }

  /// Returns the index after changes, in O(changes) and a copy of what has changed since the base.
  ///
  /// - Parameters:
  ///   - changed: The slots that have changed, ascending.
  ///   - limit: One more than the largest slot.
  ///   - texts: A closure that returns the texts of a slot.
  package func updated(
    at changed: [Int32], limit slotLimit: Int, texts: (Int32) -> [String?]
  ) -> Self {
    var next = self
    var builder: SubstringIndex.Builder?
    var folded: [UInt8] = []
    next.changed = self.changed.updated(at: changed) { slot, known in
      folded.removeAll(keepingCapacity: true)
      SubstringIndex.append(foldedBytesOf: texts(slot), to: &folded)
      if let known {
        let before = known < 0 ? [] : added.foldedBytes(at: Int(known))
        if before.elementsEqual(folded) { return known }
        if known >= 0 { next.slots[Int(known)] = -1 }
      }
      let isInBase =
        Int(slot) < base.count
        ? base.foldedBytes(at: Int(slot)).elementsEqual(folded) : folded.isEmpty
      if isInBase { return nil }
      if folded.isEmpty { return -1 }
      if builder == nil { builder = SubstringIndex.Builder(continuing: added) }
      builder?.append(folded: folded[...], at: next.slots.count)
      next.slots.append(slot)
      return Int32(truncatingIfNeeded: next.slots.count - 1)
    }
    if let builder { next.added = builder.finish() }
    let limit = max(64, base.count / 64)
    guard next.changed.slots.count > limit || next.slots.count > limit else { return next }
    return next.rebased(slotLimit: slotLimit)
  }

  /// Returns the same texts with nothing beside the base, in O(bytes).
  func rebased(slotLimit: Int) -> Self {
    var builder = SubstringIndex.Builder()
    builder.reserve(texts: slotLimit, bytes: base.bytes.count + added.bytes.count)
    var place = 0
    for slot in 0..<slotLimit {
      if place < changed.slots.count, Int(changed.slots[place]) == slot {
        let position = Int(changed.values[place])
        if position >= 0 { builder.append(folded: added.foldedBytes(at: position), at: slot) }
        place += 1
      } else if slot < base.count {
        builder.append(folded: base.foldedBytes(at: slot), at: slot)
      }
    }
    return Self(builder.finish(count: slotLimit))
  }
}

// MARK: - Storing

extension TextIndex {
  /// Returns the form of an index of texts.
  ///
  /// - Parameters:
  ///   - name: The name of its section: up to eight ASCII letters.
  ///   - declaration: A description of the texts.
  ///   - texts: A closure that returns the texts of a record.
  package static func form<Record: StoredRecord>(
    _ name: String, _ declaration: String = "",
    _ texts: @escaping @Sendable (Record) -> [String?]
  ) -> IndexForm<Record, Self> {
    IndexForm(name: name, declaration: declaration) { index, limit, bytes in
      let base = index.isBaseOnly ? index.base : index.rebased(slotLimit: limit).base
      base.write(to: &bytes)
      return true
    } read: { reader, limit in
      SubstringIndex(from: &reader, mostTexts: limit).map { TextIndex($0) }
    } agrees: { index, slot, record in
      var folded: [UInt8] = []
      if let record { SubstringIndex.append(foldedBytesOf: texts(record), to: &folded) }
      return Int(slot) < index.base.count
        ? index.base.foldedBytes(at: Int(slot)).elementsEqual(folded) : folded.isEmpty
    }
  }
}

extension SubstringIndex {
  fileprivate func write(to section: inout [UInt8]) {
    section.append(numbers: bytes)
    section.append(numbers: starts)
  }

  fileprivate init?(from reader: inout SectionReader, mostTexts limit: Int) {
    guard let text = reader.range(of: UInt8.self), let starts = reader.numbers(UInt32.self),
      starts.count <= limit + 1, starts.first == 0, starts.last == UInt32(exactly: text.count)
    else { return nil }
    let bytes = reader.takeBytes(in: text)
    var start = 0
    for number in starts.dropFirst() {
      let end = Int(clamping: number)
      // Each text ends with a zero, which is in no other place.
      guard end > start, end <= bytes.count, bytes[end - 1] == 0 else { return nil }
      start = end
    }
    self.init(
      bytes: bytes, starts: starts,
      places: Amortized(after: 4) { Places(in: bytes, starts: starts) })
  }
}
