internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation
internal import WalkKit

/// What other devices have written, on its way into the diary in one commit.
struct Merging {
  typealias Record = WalkRecord

  /// The key of the attachment that says which state of the mirror has been merged.
  static let key = "mirror"

  let snapshot: Snapshot<Record>
  private(set) var failures: [RowFailure] = []
  /// The routes of walks that have changed.
  private(set) var routes: Set<BlobID> = []
  /// A Boolean value that indicates whether a pet has arrived, so that walks may have waited for it.
  private(set) var hasNewPets = false
  private var clock: StampClock
  private var changed: [String: Record?] = [:]
  /// The pets that were removed, to be taken off their walks.
  private var leaving: Set<Pet.ID> = []
  private var states: [WalkEdit.Subject: DocumentState] = [:]
  private var conflicts: [WalkConflict] = []
  /// Read once, when it is first needed.
  private var listed: Listed?

  init(over snapshot: Snapshot<Record>, random: () -> Double) {
    self.snapshot = snapshot
    clock = StampClock(snapshot.attachment(StampClock.key), random: random)
  }

  /// The blobs that the changed records referred to and no longer do.
  var replacedBlobs: Set<BlobID> {
    var (old, new): (Set<BlobID>, Set<BlobID>) = ([], [])
    for (id, record) in changed {
      snapshot[id: id]?.forEachBlob { old.insert($0) }
      record?.forEachBlob { new.insert($0) }
    }
    return old.subtracting(new)
  }

  private func record(_ id: String) -> Record? { changed[id] ?? snapshot[id: id] }

  private mutating func put(_ record: Record?, _ id: String) { changed[id] = .some(record) }

  mutating func merge(_ documents: [FirestoreDocument]) throws {
    var walks: [(WalkEdit.Subject, FirestoreDocument)] = []
    leaving = []
    for (index, document) in documents.enumerated() {
      guard let subject = WalkEdit.Subject(document) else {
        fail(document, index, "the document is neither a pet, nor a walk, nor a place")
        continue
      }
      if case .walk = subject {
        // After the pets, without which a walk can't be there.
        walks.append((subject, document))
      } else {
        try merge(document, subject)
      }
    }
    // All at once: a walk may have had many of them.
    leave(leaving)
    for (subject, document) in walks { try merge(document, subject) }
  }

  private mutating func fail(_ document: FirestoreDocument, _ index: Int, _ reason: String) {
    failures.append(
      RowFailure(
        index: index, key: document.path.text,
        excerpt: "\(document.fields.description.prefix(200))", reason: reason))
  }

  private mutating func merge(_ document: FirestoreDocument, _ subject: WalkEdit.Subject) throws {
    let known = try snapshot.state(of: subject)
    let state = DocumentState(document).merged(with: known)
    if let latest = state.latest { clock.see(latest) }
    noteConflict(between: known, and: state, subject)
    let id = subject.recordID
    if state.isAlive {
      var problems: [FieldReader.Problem] = []
      var reasons: [String] = []
      do {
        var found = try DiaryDocument(subject, state, &problems)
        if !problems.isEmpty {
          // A field that can't be read stays as it is here.
          var repaired = state
          for field in problems.map(\.field) {
            if let value = known.values[field] { repaired.values[field] = value }
          }
          var rest: [FieldReader.Problem] = []
          found = try DiaryDocument(subject, repaired, &rest)
        }
        try settle(&found)
        put(found.record, id)
      } catch {
        reasons = [error.message]
      }
      reasons = problems.map(\.reason) + reasons
      if !reasons.isEmpty { fail(document, failures.count, reasons.joined(separator: "; ")) }
    } else if record(id) != nil {
      put(nil, id)
      if case .pet(let pet) = subject { leaving.insert(pet) }
    }
    if state.stampsText != known.stampsText { states[subject] = state }
  }

  /// Notes the edits of this device that were sent, and that another device has overruled without having seen them.
  private mutating func noteConflict(
    between known: DocumentState, and state: DocumentState, _ subject: WalkEdit.Subject
  ) {
    var fields = state.overruled(known, assumesSeen: true).filter {
      known.stamp(of: $0)?.device == clock.device[...]
    }
    if fields.isEmpty { return }
    let listed = listed ?? Self.listed(in: snapshot)
    self.listed = listed
    // The outbox lists what is overruled of an edit that waits.
    let waiting = listed.waiting[subject] ?? []
    let conflicting = listed.conflicting[subject] ?? []
    fields.removeAll {
      waiting.contains($0) || known.stamps[$0] == nil && conflicting.contains($0)
    }
    guard let time = fields.compactMap({ known.stamp(of: $0)?.microseconds }).max() else { return }
    conflicts.append(
      WalkConflict(
        id: UUID(), subject: subject, fields: fields,
        date: Date(timeIntervalSince1970: Double(time) / 1e6)))
  }

  /// The fields of the edits that wait, and of the conflicts that are listed, by subject.
  private struct Listed {
    var waiting: [WalkEdit.Subject: Set<String>] = [:]
    var conflicting: [WalkEdit.Subject: Set<String>] = [:]
  }

  private static func listed(in snapshot: Snapshot<Record>) -> Listed {
    var listed = Listed()
    for record in snapshot {
      if let edit = record.operation?.payload {
        listed.waiting[edit.subject, default: []].formUnion(edit.fields)
      } else if let conflict = WalkConflict(record) {
        listed.conflicting[conflict.subject, default: []].formUnion(conflict.fields)
      }
    }
    return listed
  }

  /// Makes a document one that the diary can have now.
  private mutating func settle(_ found: inout DiaryDocument) throws(FieldError) {
    switch found {
    case .walk(var walk):
      walk.pets.removeAll { record(Record.id(of: $0.pet)) == nil }
      guard !walk.pets.isEmpty else {
        throw FieldError(.unknownPet, "The walk isn't shown because no pet of it is in the diary.")
      }
      found = .walk(walk)
      if let route = walk.routeBlob { routes.insert(route) }
    case .pet(let pet):
      if snapshot[id: Record.id(of: pet.id)] == nil { hasNewPets = true }
    case .place: break
    }
  }

  /// Takes removed pets off the walks that are here.
  private mutating func leave(_ pets: Set<Pet.ID>) {
    guard !pets.isEmpty else { return }
    for record in snapshot {
      guard var walk = self.record(record.id)?.walk,
        walk.pets.contains(where: { pets.contains($0.pet) })
      else { continue }
      walk.pets.removeAll { pets.contains($0.pet) }
      for place in walk.notes.indices {
        guard let pet = walk.notes[place].pet, pets.contains(pet) else { continue }
        walk.notes[place].pet = nil
      }
      put(walk.pets.isEmpty ? nil : Record(.walk(walk)), record.id)
    }
  }

  /// Removes records whose documents are gone without a trace, unless edits of them wait.
  mutating func remove(_ documentIDs: [String], unless isEdited: (String) -> Bool) {
    let ids = Set(documentIDs.filter { !isEdited($0) })
    guard !ids.isEmpty else { return }
    leaving = []
    for record in snapshot {
      guard let subject = DiaryDocument(record)?.subject, ids.contains(subject.documentID)
      else { continue }
      put(nil, record.id)
      changed[Record.id(ofAttachment: record.id)] = .some(nil)
      if case .pet(let pet) = subject { leaving.insert(pet) }
    }
    leave(leaving)
  }

  /// Adds everything to a batch, with edits that resolve what can't be side by side.
  mutating func finish(
    mirror: String, at now: Date, in batch: inout OutboxChanges<Record>
  ) throws -> [String] {
    let corrections = corrections()
    if !corrections.isEmpty {
      let stamp = clock.next(at: now)
      for (subject, field, record) in corrections {
        guard let document = DiaryDocument(record) else { continue }
        put(record, subject.recordID)
        var change = DocumentState()
        (change.values[field], change.stamps[field]) = (document.values()[field], stamp)
        let known = try states[subject] ?? snapshot.state(of: subject)
        change.noteSeen(known)
        states[subject] = change.merged(with: known)
        batch.enqueue(change, of: subject)
      }
    }
    for (id, record) in changed.sorted(by: { $0.key < $1.key })
    where record != snapshot[id: id] {
      if let record { batch.upsert(record) } else { batch.remove(id) }
    }
    for (subject, state) in states { batch.upsert(.attachment(subject.recordID, state.stampsText)) }
    for conflict in conflicts { batch.upsert(conflict.record) }
    for (key, text) in [(StampClock.key, clock.text), (Self.key, mirror)]
    where snapshot.attachment(key) != text {
      batch.upsert(.attachment(key, text))
    }
    return corrections.map { "\($0.0.names.type) \($0.0.names.id): \($0.1)" }
  }

  /// Returns records with the field that has to change: a name that two pets have, or a second home.
  private func corrections() -> [(WalkEdit.Subject, String, Record)] {
    guard changed.values.contains(where: { DiaryDocument($0).map(\.isUnique) ?? false }) else {
      return []
    }
    var pets: [Pet] = []
    var homes: [Place] = []
    for id in Set(snapshot.lazy.map(\.id)).union(changed.keys) {
      switch record(id)?.content {
      case .pet(let pet): pets.append(pet)
      case .place(let place) where place.kind == .home: homes.append(place)
      default: break
      }
    }
    var found: [(WalkEdit.Subject, String, Record)] = []
    var names: Set<String> = []
    /// The last number that was tried for a name.
    var numbers: [String: Int] = [:]
    // The pet that was registered first keeps the name, on every device.
    for var pet in pets.sorted(by: {
      ($0.registered, $0.id.rawValue) < ($1.registered, $1.id.rawValue)
    }) where !names.insert(pet.nameKey).inserted {
      let (name, key) = (pet.name, pet.nameKey)
      var number = numbers[key] ?? 1
      repeat {
        number += 1
        pet.name = "\(name) (\(number))"
      } while !names.insert(pet.nameKey).inserted
      numbers[key] = number
      found.append((.pet(pet.id), "name", Record(.pet(pet))))
    }
    for var place in homes.sorted(by: { $0.id.rawValue < $1.id.rawValue }).dropFirst() {
      place.kind = .goal
      found.append((.place(place.id), "kind", Record(.place(place))))
    }
    return found
  }
}

extension DiaryDocument {
  /// A Boolean value that indicates whether there are others that it can't be beside.
  fileprivate var isUnique: Bool { if case .walk = self { false } else { true } }
}
