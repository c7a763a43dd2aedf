public import FieldCore

/// A sequence of the changes in a diary as they happen.
///
/// ```swift
/// for try await change in diary.updates() where change.affects(mesh.id) {
///   show(try await diary.walks(of: mesh.id))
/// }
/// ```
///
/// The first element is immediate and reports that everything may have changed. If the consumer is
/// slower than the changes, several are merged into one. The sequence ends when its task is
/// canceled or the diary is closed.
public typealias WalkDiaryUpdates = FieldSequence<WalkDiaryChange, any Error>

extension WalkDiaryChange {
  /// Creates the difference between two contents of a store, or `nil` if there is none.
  init?(from old: Snapshot<WalkRecord>?, to new: Snapshot<WalkRecord>) {
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
        case .choice(let pet): if let pet { pets.insert(pet) }
        case .alias, .operation, .attachment, nil: break
        }
      }
    }
    if self == WalkDiaryChange() { return nil }
  }
}
