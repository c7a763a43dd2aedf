import FieldCore
import KillSupport

/// A record of the store that is written to.
struct Row: StoredRecord {
  var id: Int
  var batch: Int
  var text: String
}

/// The batch of a number, which is the same in the writer and in the checker.
struct Batch {
  enum Step {
    case upsert(Row)
    case remove(Int)
    case removeAll
  }

  let number: Int
  let steps: [Step]

  init(_ number: Int) {
    self.number = number
    var generator = SplitMix(state: UInt64(number))
    var steps: [Step] = []
    // Few enough ids that most rows are written again and again, so that the file is often worth
    // compacting.
    func row() -> Row {
      let length = Int.random(in: 0...160, using: &generator)
      return Row(
        id: .random(in: 0..<500, using: &generator), batch: number,
        text: String(repeating: "石x", count: length / 4))
    }
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: steps = [.removeAll] + (0..<100).map { _ in .upsert(row()) }
    case 1:
      // A megabyte at once: a write of that size can be killed in the middle.
      steps = (500..<540).map { id in
        .upsert(Row(id: id, batch: number, text: String(repeating: "石x", count: 6_000)))
      }
    case 2: steps = (500..<540).map { .remove($0) }
    case 3..<10: steps = [.upsert(row())]
    case 10..<25:
      let count = Int.random(in: 2...400, using: &generator)
      steps = (0..<count).map { _ in .upsert(row()) }
    case 25..<30:
      steps = (0..<40).map { _ in .remove(.random(in: 0..<500, using: &generator)) }
    default:
      steps = (0..<120).map { place in place % 3 == 0 ? .remove(row().id) : .upsert(row()) }
    }
    self.steps = steps
  }

  /// What the writer commits.
  var changes: Changes<Row> {
    var changes = Changes<Row>()
    for step in steps {
      switch step {
      case .upsert(let row): changes.upsert(row)
      case .remove(let id): changes.remove(id)
      case .removeAll: changes.removeAll()
      }
    }
    return changes
  }

  var checkpoint: Checkpoint { Checkpoint(cursors: ["batch": "\(number)"]) }
}

/// What batches lead to, in the plainest form: rows in the order of their insertion.
struct Replay {
  private(set) var count = 0
  private(set) var rows: [Row] = []

  mutating func advance(to number: Int) {
    while count < number {
      count += 1
      for step in Batch(count).steps { apply(step) }
    }
  }

  private mutating func apply(_ step: Batch.Step) {
    switch step {
    case .upsert(let row):
      if let place = rows.firstIndex(where: { $0.id == row.id }) {
        rows[place] = row
      } else {
        rows.append(row)
      }
    case .remove(let id): rows.removeAll { $0.id == id }
    case .removeAll: rows = []
    }
  }
}
