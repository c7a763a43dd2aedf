public import FieldCore

/// What changes in a diary, as it happens.
///
/// ```swift
/// for try await change in diary.updates() where change.affects(mesh.id) {
///   show(try await diary.walks(of: mesh.id))
/// }
/// ```
///
/// The first element comes at once and says that everything is new. A reader that is slower than the
/// changes gets several of them as one. The sequence ends when its task is cancelled and when the diary
/// is closed.
public typealias WalkDiaryUpdates = FieldSequence<WalkDiaryChange, any Error>

extension SnapshotUpdates<StoredWalks.Record> {
  /// Returns what is different from each content of the store to the next.
  func changes() -> WalkDiaryUpdates {
    scan(nil) { (last: inout Snapshot<StoredWalks.Record>?, snapshot) in
      guard let change = WalkDiaryChange(from: last, to: snapshot) else { return nil }
      last = snapshot
      return change
    }
  }
}

extension WalkDiaryChange {
  /// What is different between two contents of a store; nil when nothing is.
  init?(from old: Snapshot<StoredWalks.Record>?, to new: Snapshot<StoredWalks.Record>) {
    guard let old, let ids = new.changedIDs(since: old.revision) else {
      self.init(everything: true)
      return
    }
    self.init()
    for id in ids {
      let records = [old[id: id], new[id: id]]
      guard records[0] != records[1] else { continue }
      for record in records {
        switch record?.content {
        case .pet(let pet): pets.insert(pet.id)
        case .walk(let walk):
          walks.insert(walk.id)
          pets.formUnion(walk.pets.map(\.pet))
        case .place: places = true
        case .choice, .alias, nil: break
        }
      }
      if case .choice(let pet) = new[id: id]?.content, let pet { pets.insert(pet) }
      if case .choice(let pet) = old[id: id]?.content, let pet { pets.insert(pet) }
    }
    if self == WalkDiaryChange() { return nil }
  }
}
