/// The form in which an index is stored beside the file of a store.
@usableFromInline
package struct IndexForm<Record: StoredRecord, Index: Sendable>: Sendable {
  /// The name of its section.
  let name: String
  private let declaration: String
  /// Appends an index, with nothing beside its base, for slots below a limit; returns `false` if it has no stored form.
  let write: @Sendable (Index, _ slotLimit: Int, inout [UInt8]) -> Bool
  /// Reads an index of slots below a limit, or returns `nil` if it isn't one.
  let read: @Sendable (inout SectionReader, _ slotLimit: Int) -> Index?
  /// Returns whether an index agrees with the record in a slot, or `nil` for no record.
  let agrees: @Sendable (Index, _ slot: Int32, Record?) -> Bool
  /// Returns slots that differ as much as possible, such as those of the smallest and the greatest value.
  let samples: @Sendable (Index) -> [Int32]

  init(
    name: String, declaration: String,
    write: @escaping @Sendable (Index, _ slotLimit: Int, inout [UInt8]) -> Bool,
    read: @escaping @Sendable (inout SectionReader, _ slotLimit: Int) -> Index?,
    agrees: @escaping @Sendable (Index, _ slot: Int32, Record?) -> Bool,
    samples: @escaping @Sendable (Index) -> [Int32] = { _ in [] }
  ) {
    (self.name, self.declaration) = (name, declaration)
    (self.write, self.read, self.agrees, self.samples) = (write, read, agrees, samples)
  }

  /// A digest of the declaration, so that a changed one isn't taken for it.
  private var kind: UInt64 {
    let text = "\(_mangledTypeName(Index.self) ?? "") \(declaration)"
    return SHA256.digest(of: Array(text.utf8)).fixed(at: 0)
  }
}

extension IndexForm {
  /// Returns the stored index of a snapshot, or `nil` if there is none.
  ///
  /// The owner of a section is one build of a program, but a declaration may depend on more than code, such as the
  /// language of the device. So some of the records are compared.
  func stored(
    for content: IndexedSnapshot<Record>, update: (Index, SlotChanges<Record>) -> Index
  ) -> Index? {
    let snapshot = content.snapshot
    guard let mark = snapshot.mark, mark.link?.revision == snapshot.revision,
      let found = mark.shelf.section(named: name, of: kind, in: mark.chain)
    else { return nil }
    var section = found.section
    guard let index = read(&section, found.link.slotLimit), section.remainingCount == 0,
      let changes = SlotChanges(from: found.link, mark, to: snapshot),
      changes.slots.count <= Swift.max(64, snapshot.count / 2),
      isPlausible(index, below: found.link.slotLimit, except: changes.slots, in: snapshot)
    else { return nil }
    return changes.slots.isEmpty ? index : update(index, changes)
  }

  private func isPlausible(
    _ index: Index, below slotLimit: Int, except changed: [Int32], in snapshot: Snapshot<Record>
  ) -> Bool {
    let step = Swift.max(1, slotLimit / 16)
    let slots = stride(from: 0, to: slotLimit, by: step).map { Int32(truncatingIfNeeded: $0) }
    return (slots + samples(index)).allSatisfy { slot in
      changed.contains(sorted: slot)
        || agrees(
          index, slot, Int(slot) < snapshot.slotLimit ? snapshot.record(at: Int(slot)) : nil)
    }
  }

  /// Has an index stored beside the file that contains a snapshot.
  ///
  /// - Parameters:
  ///   - isChanged: Whether a large part of the index has changed.
  ///   - index: A closure that returns the index when it is written, or `nil` if it is no longer needed.
  func keep(
    of snapshot: Snapshot<Record>, isChanged: Bool, _ index: @escaping @Sendable () -> Index?
  ) {
    guard let mark = snapshot.mark, let link = mark.link, link.revision == snapshot.revision,
      link.slotLimit == snapshot.slotLimit, snapshot.failure == nil
    else { return }
    mark.shelf.keep(name, of: kind, at: link, in: mark.chain, isChanged: isChanged) {
      [write] bytes in
      index().map { write($0, link.slotLimit, &bytes) } ?? false
    }
  }
}

extension Snapshot {
  /// A Boolean value that indicates whether its indexes are worth being stored beside its file.
  var storesIndexes: Bool { mark != nil && count >= IndexShelf.smallestCount }
}

extension AnyKeyPath {
  /// Returns the place of the property in a record, or its name, without addresses, which differ in each process.
  func stableDescription<Record>(in record: Record.Type) -> String {
    // Finding the names takes half a millisecond of a new process.
    if let path = self as? PartialKeyPath<Record>, let offset = MemoryLayout.offset(of: path) {
      return "\(offset)"
    }
    // A computed property is described by the address of its code.
    return debugDescription.split(separator: " ").filter { !$0.contains(bytesOf: "0x") }.joined(
      separator: " ")
  }
}
