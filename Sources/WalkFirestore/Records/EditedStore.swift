internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation
internal import WalkKit

/// The store of a diary that adds an operation to the outbox for every change, in the same commit.
///
/// Beside each record it keeps an attachment with the stamps of its fields, so that what other devices have
/// written can be merged with what was written here.
struct EditedStore: ForwardingRecordStore {
  typealias Record = WalkRecord

  let outbox: Outbox<Record>
  /// What was mirrored, which is erased and closed with the diary.
  let mirror: FirestoreMirror
  let clock: any FieldClock
  let random: @Sendable () -> Double

  func target() -> any RecordStore<Record> { outbox.store }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await outbox.update { snapshot, batch in
      guard expecting.map({ $0 == snapshot.revision }) ?? true else {
        throw FieldError(.conflict, "The diary was changed meanwhile. Try again.")
      }
      try stamp(changes, over: snapshot, in: &batch)
    }
  }

  func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try await outbox.update { snapshot, batch in
      var changes = Changes<Record>()
      var checkpoint = snapshot.checkpoint
      try body(snapshot, &changes, &checkpoint)
      try stamp(changes, over: snapshot, in: &batch)
    }
  }

  func eraseAll() async throws {
    // In this order, what is left after a crash is a diary that is read again.
    try await mirror.eraseAll()
    try await outbox.store.eraseAll()
  }

  func close() async throws {
    try await outbox.store.close()
    try await mirror.close()
  }

  var observer: FieldObserver? { outbox.store.observer }

  /// Adds changes to a batch, with their stamps and operations.
  private func stamp(
    _ changes: Changes<Record>, over snapshot: Snapshot<Record>,
    in batch: inout OutboxChanges<Record>
  ) throws {
    guard !changes.isEmpty else { return }
    var editing = Editing(over: snapshot, random: random)
    for run in changes.runs {
      switch run {
      case .upserts(let records): for record in records { editing.put(record, record.id) }
      case .removals(let ids): for id in ids { editing.put(nil, id) }
      case .removeAll: for record in snapshot { editing.put(nil, record.id) }
      }
    }
    try editing.finish(at: clock.now, in: &batch)
  }

  /// Adds operations that create the records that were there before the diary had a server.
  ///
  /// - Returns: `true` if there were any.
  @discardableResult
  func adopt() async throws -> Bool {
    let snapshot = try await outbox.store.snapshot()
    guard snapshot.contains(where: { $0.isWithoutStamps(in: snapshot) }) else { return false }
    try await outbox.update { snapshot, batch in
      var editing = Editing(over: snapshot, random: random)
      for record in snapshot where record.isWithoutStamps(in: snapshot) { editing.adopt(record) }
      try editing.finish(at: clock.now, in: &batch)
    }
    return true
  }
}

extension WalkRecord {
  /// The stamps of a record, or the clock.
  static func attachment(_ key: String, _ text: String) -> Self {
    Self(.attachment(key: key, text: text))
  }

  var attachedText: String? { if case .attachment(_, let text) = content { text } else { nil } }

  fileprivate func isWithoutStamps(in snapshot: Snapshot<WalkRecord>) -> Bool {
    DiaryDocument(self) != nil && snapshot.attachment(id) == nil
  }
}

extension Snapshot<WalkRecord> {
  func attachment(_ key: String) -> String? {
    self[id: WalkRecord.id(ofAttachment: key)]?.attachedText
  }

  /// The state of a record as this device knows it.
  func state(of subject: WalkEdit.Subject) throws -> DocumentState {
    var state = try attachment(subject.recordID).map(DocumentState.init(text:)) ?? .init()
    state.values = DiaryDocument(self[id: subject.recordID])?.values(over: state.values) ?? [:]
    return state
  }
}

/// Changes of one commit on their way into the outbox.
struct Editing {
  typealias Record = WalkRecord

  private let snapshot: Snapshot<Record>
  private var clock: StampClock
  /// The new records by ID; `nil` for those to be removed.
  private var changed: [String: Record?] = [:]
  private var order: [String] = []
  private var adopted: Set<String> = []

  init(over snapshot: Snapshot<Record>, random: () -> Double) {
    self.snapshot = snapshot
    clock = StampClock(snapshot.attachment(StampClock.key), random: random)
  }

  mutating func put(_ record: Record?, _ id: String) {
    if changed.updateValue(record, forKey: id) == nil { order.append(id) }
  }

  mutating func adopt(_ record: Record) {
    adopted.insert(record.id)
    put(record, record.id)
  }

  /// Adds everything to a batch.
  mutating func finish(at now: Date, in batch: inout OutboxChanges<Record>) throws {
    let stamp = clock.next(at: now)
    var hasEdits = false
    for id in order {
      guard let new = changed[id] else { continue }
      let old = adopted.contains(id) ? nil : snapshot[id: id]
      guard old != new || adopted.contains(id) else { continue }
      if let new { batch.upsert(new) } else { batch.remove(id) }
      let (before, after) = (DiaryDocument(old), DiaryDocument(new))
      guard let subject = after?.subject ?? before?.subject else { continue }
      let known = try snapshot.state(of: subject)
      guard
        var change = Self.change(
          from: before.map { _ in known.values }, to: after?.values(over: known.values), stamp)
      else { continue }
      change.noteSeen(known)
      hasEdits = true
      let state = change.merged(with: known)
      batch.upsert(.attachment(subject.recordID, state.stampsText))
      batch.enqueue(change, of: subject)
    }
    if hasEdits { batch.upsert(.attachment(StampClock.key, clock.text)) }
  }

  /// Returns what has changed; `nil` if no field has.
  private static func change(
    from before: [String: FieldValue]?, to after: [String: FieldValue]?, _ stamp: Stamp
  ) -> DocumentState? {
    var change = DocumentState()
    switch (before, after) {
    case (nil, nil): return nil
    case (nil, let values?):
      change.created = stamp
      change.values = values
    case (_?, nil): change.removed = stamp
    case (let old?, let new?):
      for name in Set(old.keys).union(new.keys) where old[name] != new[name] {
        change.values[name] = new[name]
        change.stamps[name] = stamp
      }
      if change.stamps.isEmpty { return nil }
    }
    return change
  }
}

extension DocumentState {
  /// Notes that a change is made in knowledge of a state.
  mutating func noteSeen(_ known: DocumentState) {
    for field in stamps.keys { seen[field] = known.seenEdits(of: field) }
    if removed != nil { seen[Self.removedField] = known.seenEdits }
  }

  /// The stamps and the places of elements, without the values, for the attachment.
  var stampsText: String {
    var state = self
    state.values = values.filter { Self.isElement($0.key) }.compactMapValues {
      $0.value.map?[ElementPlaces.orderField].map {
        .map([ElementPlaces.orderField: FieldValue($0)])
      }
    }
    return state.text
  }
}

extension OutboxChanges<WalkRecord> {
  /// Adds an edit. If an earlier one of the record was rejected, this one corrects it.
  mutating func enqueue(_ change: DocumentState, of subject: WalkEdit.Subject) {
    let edit = WalkEdit(subject, change)
    if let rejected = rejected(in: subject.documentID),
      let merged = WalkEdit.merging(rejected.payload, edit)
    {
      do {
        try self.edit(rejected.id) { $0 = merged }
        return
      } catch {
        // It can't be edited any more, so the new edit follows it.
      }
    }
    enqueue(edit, lane: subject.documentID)
  }
}

extension WalkEdit {
  init(_ subject: Subject, _ change: DocumentState) {
    self.init(
      subject, fields: change.fields.sorted(), isRemoval: !change.isAlive && change.removed != nil,
      content: change.text)
  }

  /// Returns one edit for two of the same record.
  static func merging(_ earlier: WalkEdit, _ later: WalkEdit) -> WalkEdit? {
    guard earlier.subject == later.subject, let first = try? earlier.change,
      let second = try? later.change
    else { return nil }
    return WalkEdit(later.subject, second.merged(with: first))
  }

  var change: DocumentState { get throws { try DocumentState(text: content) } }
}
