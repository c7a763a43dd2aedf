import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

/// A fixed piece of work with an outbox, and what the app knows about it.
///
/// Each operation has a note of its own. Those from 90 on are rejected as long as their text is "bad".
final class OutboxScript {
  enum Step: Hashable {
    case put([Int], lane: String, String = "")
    case edit(Int)
    case discard(Int)
    case resend(Int)
    case send
  }

  static let steps: [Step] = [
    .put([1], lane: "a"), .put([2], lane: "a"), .put([90], lane: "b", "bad"), .put([91], lane: "b"),
    .send, .send, .edit(90), .put([3], lane: "a"), .put([10], lane: "c"), .discard(10),
    .put([20], lane: "d", "merge 0"), .put([20], lane: "d", "merge 1"),
    .put([92], lane: "e", "bad"), .send, .send, .put([4, 5], lane: "a"), .resend(92), .send,
    .put([6], lane: "a"), .send, .send,
  ]

  /// What happens to the first request for each note.
  static let faults: [Int: NoteServer.Fault] = [
    1: .dropAfter, 3: .dropBefore, 90: .unavailable, 20: .dropAfter, 4: .offline, 6: .dropAfter,
  ]

  let outbox: NoteOutbox
  /// The steps that returned.
  private(set) var done: [Step] = []
  /// The steps that threw.
  private(set) var failed: [Step] = []
  private(set) var errors: [any Error] = []

  init(_ outbox: NoteOutbox) { self.outbox = outbox }

  static func id(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
  }

  /// Creates a server where each note's first request meets its fault, besides those of `more`.
  static func server(
    ignoresRepeatedKeys: Bool, _ more: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> NoteServer {
    let seen = Lock<Set<Int>>([])
    return NoteServer(ignoresRepeatedKeys: ignoresRepeatedKeys) { number, operation in
      more(number)
      let isFirst = seen.withLock { $0.insert(operation.payload.note).inserted }
      if isFirst, let fault = faults[operation.payload.note] { return fault }
      if operation.payload.text == "bad" { return .reject }
      // A request that wasn't lost may come twice where that makes no difference.
      return ignoresRepeatedKeys && operation.payload.note == 2 ? .duplicate : nil
    }
  }

  /// Runs the steps; `failure` decides what follows an error.
  func run(_ steps: [Step] = steps, after failure: (any Error) async throws -> Bool) async rethrows
  {
    for step in steps {
      do {
        try await perform(step)
        done.append(step)
      } catch {
        failed.append(step)
        errors.append(error)
        guard try await failure(error) else { return }
      }
    }
  }

  func perform(_ step: Step) async throws {
    switch step {
    case .put(let numbers, let lane, let text):
      try await outbox.update { _, changes in
        for number in numbers {
          changes.upsert(.note(Note(number, text)))
          changes.enqueue(
            NoteChange(number, text, isMergeable: text.hasPrefix("merge")), lane: lane,
            subject: "note/\(number)", id: Self.id(number + (text == "merge 1" ? 1 : 0)))
        }
      }
    case .edit(let number):
      try await outbox.update { _, changes in
        changes.upsert(.note(Note(number, "good")))
        try changes.edit(Self.id(number)) { $0.text = "good" }
      }
    case .discard(let number): try await outbox.discard(Self.id(number))
    case .resend(let number): try await outbox.resend(Self.id(number))
    case .send: try await outbox.send(.now)
    }
  }

  /// Sends what is left, as after a restart, and checks that nothing was lost, doubled, or reordered.
  ///
  /// - Parameters:
  ///   - certain: The steps that returned.
  ///   - possible: The steps that threw, and may or may not have been done.
  static func check(
    _ outbox: NoteOutbox, _ store: FileStore<NoteRecord>, _ server: NoteServer, certain: [Step],
    possible: [Step], _ what: Comment
  ) async throws {
    for _ in 1...8 { try await outbox.send(.now) }
    let left = try await outbox.pending().operations
    let snapshot = try await store.snapshot()
    let applied = server.notes
    #expect(Set(applied).count == applied.count, "doubled: \(applied), \(what)")
    for lane in [[1, 2, 3, 4, 5, 6], [90, 91]] {
      #expect(lane.filter(applied.contains) == applied.filter(lane.contains), what)
    }
    for step in Set(steps) {
      guard case .put(let numbers, _, let text) = step else { continue }
      for number in numbers where text != "merge 1" {
        let note = snapshot[id: "note/\(number)"]?.note
        let operation = left.first { $0.payload.note == number }
        let count = applied.count { $0 == number }
        if certain.contains(step) { #expect(note != nil, "note \(number), \(what)") }
        if !certain.contains(step), !possible.contains(step) { #expect(note == nil, what) }
        let isDiscarded = number == 10 && (certain + possible).contains(.discard(10))
        #expect(
          (note == nil ? 0 : 1) == count + (operation == nil ? 0 : 1)
            || isDiscarded && count == 0 && operation == nil,
          "note \(number): \(count) times, \(operation?.state.rawValue ?? "gone"), \(what)")
        // What is left is what the server rejects, and what waits behind it.
        if let operation { #expect(number >= 90 && operation.state != .unsure, what) }
        if count == 1 {
          #expect(note?.text.contains("#") == true, "no receipt: \(number), \(what)")
        }
      }
    }
    if certain.contains(.edit(90)) {
      #expect(applied.contains(90), what)
      #expect(applied.contains(91) || !certain.contains(.put([91], lane: "b")), what)
    }
    let texts = server.applied.filter { $0.payload.note == 20 }.map(\.payload.text)
    if certain.contains(.put([20], lane: "d", "merge 1")) { #expect(texts == ["merge 1"], what) }
  }
}
