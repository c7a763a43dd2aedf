internal import FieldCore

extension Check {
  static var revisions: [Check] {
    [
      Check(name: "each commit that changes something raises the revision, and it is returned") {
        store in
        let first = try await store.commit(Self.inserts([1]), checkpoint: nil, expecting: nil)
        try require(first > .zero, "the first commit left the revision at \(first)")
        let second = try await store.commit(Self.inserts([2]), checkpoint: nil, expecting: nil)
        try require(second > first, "the second commit went from \(first) to \(second)")
        try requireEqual(try await store.snapshot().revision, second, "the snapshot's revision")
      },
      Check(name: "a batch that changes nothing leaves the revision") { store in
        let checkpoint = Checkpoint(fingerprint: "a")
        let first = try await store.commit(
          Self.inserts(1...50), checkpoint: checkpoint, expecting: nil)
        var removal = Changes<Sample>()
        removal.remove(99)
        for changes in [Changes(), Self.inserts([3, 5]), Self.inserts(1...50), removal] {
          let revision = try await store.commit(changes, checkpoint: nil, expecting: nil)
          try requireEqual(revision, first, "the revision without a checkpoint")
          let again = try await store.commit(changes, checkpoint: checkpoint, expecting: first)
          try requireEqual(again, first, "the revision with an equal checkpoint")
        }
        try requireEqual(try await store.snapshot().count, 50, "the count")
      },
      Check(name: "a commit for another revision is a conflict and changes nothing") { store in
        let first = try await store.commit(Self.inserts([1]), checkpoint: nil, expecting: .zero)
        let second = try await store.commit(Self.inserts([2]), checkpoint: nil, expecting: first)
        for wrong in [Revision.zero, first, Revision(number: second.number + 1)] {
          do {
            try await store.commit(
              Self.inserts([3]), checkpoint: Checkpoint(fingerprint: "b"), expecting: wrong)
            throw Failure(what: "a commit for \(wrong) was taken at \(second)")
          } catch let error as FieldError {
            try requireEqual(error.code, .conflict, "the code")
          }
        }
        let snapshot = try await store.snapshot()
        try requireEqual(snapshot.revision, second, "the revision")
        try requireEqual(snapshot.map(\.id), [1, 2], "the records")
        try require(snapshot.checkpoint == nil, "the checkpoint was changed")
      },
      Check(name: "rows and checkpoint are committed together, and nil leaves the checkpoint") {
        store in
        let one = Checkpoint(
          fingerprint: "one", validators: ["u": HTTPValidators(entityTag: "\"1\"")],
          cursors: ["t": "2020"])
        let first = try await store.commit(Self.inserts([1]), checkpoint: one, expecting: nil)
        try requireEqual(try await store.snapshot().checkpoint, one, "the checkpoint")
        try await store.commit(Self.inserts([2]), checkpoint: nil, expecting: nil)
        try requireEqual(try await store.snapshot().checkpoint, one, "the checkpoint after nil")
        let two = Checkpoint(fingerprint: "two")
        let last = try await store.commit(Changes(), checkpoint: two, expecting: nil)
        try require(last > first, "a checkpoint alone left the revision")
        try requireEqual(try await store.snapshot().checkpoint, two, "the last checkpoint")
      },
      Check(name: "changed ids are those of later commits, and nil when that is not known") { store in
        let first = try await store.commit(Self.inserts(1...3), checkpoint: nil, expecting: nil)
        let none = try await store.snapshot().changedIDs(since: first)
        try require(none == nil || none == [], "something changed since the present revision")
        try await store.apply { changes in
          changes.upsert(Sample(id: 2, text: "new"))
          changes.remove(3)
        }
        try await store.apply { $0.upsert(Sample(id: 9)) }
        let snapshot = try await store.snapshot()
        if let ids = snapshot.changedIDs(since: first) {
          try require(ids.isSuperset(of: [2, 3, 9]), "the changed ids are \(ids)")
        }
        let ahead = Revision(number: snapshot.revision.number + 1)
        try require(snapshot.changedIDs(since: ahead) == nil, "a later revision is known")
      },
    ]
  }

  static var concurrency: [Check] {
    [
      Check(name: "a hundred commits at once are all applied, one after another") { store in
        let revisions = try await withThrowingTaskGroup(of: Revision.self) { group in
          for id in 0..<100 {
            group.addTask {
              try await store.commit(Self.inserts([id]), checkpoint: nil, expecting: nil)
            }
          }
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        try requireEqual(revisions.count, 100, "the number of different revisions")
        let snapshot = try await store.snapshot()
        try requireEqual(Set(snapshot.map(\.id)), Set(0..<100), "the ids")
        try requireEqual(snapshot.revision, revisions.max() ?? .zero, "the revision")
      },
      Check(name: "of commits at once for one revision, one is taken") { store in
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
          for id in 0..<20 {
            group.addTask {
              do {
                try await store.commit(Self.inserts([id]), checkpoint: nil, expecting: .zero)
                return true
              } catch let error as FieldError where error.code == .conflict {
                return false
              }
            }
          }
          return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try requireEqual(taken, 1, "the number of commits that were taken")
        try requireEqual(try await store.snapshot().count, 1, "the count")
      },
      Check(name: "updates at once lose nothing") { store in
        try await store.commit(
          Changes(upserting: [Sample(id: 1, number: 0)]), checkpoint: nil, expecting: nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<10 {
            group.addTask {
              for _ in 0..<5 {
                try await store.update(attempts: 1000) { snapshot, changes in
                  let number = snapshot[id: 1]?.number ?? 0
                  changes.upsert(Sample(id: 1, number: number + 1))
                }
              }
            }
          }
          try await group.waitForAll()
        }
        try requireEqual(try await store.snapshot()[id: 1]?.number, 50, "the sum")
      },
      Check(name: "a commit of a cancelled task is applied whole or not at all") { store in
        let task = Task {
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          return try await store.commit(Self.inserts(1...10), checkpoint: nil, expecting: nil)
        }
        let count: Int
        switch await task.result {
        case .success: count = 10
        case .failure(is CancellationError): count = 0
        case .failure(let error): throw error
        }
        try requireEqual(try await store.snapshot().count, count, "the count")
      },
    ]
  }
}
