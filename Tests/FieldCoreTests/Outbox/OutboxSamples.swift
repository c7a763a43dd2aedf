import FieldCore
import FieldFakes
import Foundation
import TestSupport

/// A change of a note that a server is told.
struct NoteChange: Codable, Hashable, Sendable {
  var note: Int
  var text: String
  var isMergeable = false

  init(_ note: Int, _ text: String = "", isMergeable: Bool = false) {
    self.note = note
    self.text = text
    self.isMergeable = isMergeable
  }

  static let merge: @Sendable (NoteChange, NoteChange) -> NoteChange? = { earlier, later in
    earlier.note == later.note && earlier.isMergeable && later.isMergeable ? later : nil
  }
}

/// The record of a store with two tables.
enum NoteRecord: OutboxRecord, Hashable {
  case note(Note)
  case operation(OutboxOperation<NoteChange>)

  var id: String {
    switch self {
    case .note(let note): "note/\(note.id)"
    case .operation(let operation): "operation/\(operation.id)"
    }
  }

  var operation: OutboxOperation<NoteChange>? {
    if case .operation(let operation) = self { operation } else { nil }
  }

  var note: Note? { if case .note(let note) = self { note } else { nil } }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

typealias NoteServer = FakeOutboxTarget<NoteChange>
typealias NoteOutbox = Outbox<NoteRecord>

extension Outbox<NoteRecord> {
  /// An outbox whose delays are their longest, and whose server's receipts become the texts of the notes.
  convenience init(
    _ store: any RecordStore<NoteRecord>, _ server: some OutboxTarget<NoteChange>,
    clock: any FieldClock,
    policy: OutboxPolicy = OutboxPolicy(), random: Double = 1
  ) {
    self.init(
      store: store, target: server, policy: policy, clock: clock,
      merging: NoteChange.merge, random: { random }
    ) { operation, receipt, snapshot, changes in
      guard var note = snapshot[id: "note/\(operation.payload.note)"]?.note else { return }
      note.text = "\(operation.payload.text) #\(receipt)"
      changes.upsert(.note(note))
    }
  }

  /// Puts a note and its operation into the outbox.
  @discardableResult
  func put(
    _ number: Int, _ text: String = "", lane: String? = nil, blocksLane: Bool = true,
    isMergeable: Bool = false
  ) async throws -> UUID {
    var id: UUID?
    try await update { _, changes in
      changes.upsert(.note(Note(number, text)))
      id = changes.enqueue(
        NoteChange(number, text, isMergeable: isMergeable), lane: lane ?? "note/\(number)",
        subject: "note/\(number)", blocksLane: blocksLane)
    }
    return id ?? UUID()
  }
}

extension FakeOutboxTarget<NoteChange> {
  /// The numbers of the notes whose changes were applied, in order.
  var notes: [Int] { applied.map(\.payload.note) }
}
