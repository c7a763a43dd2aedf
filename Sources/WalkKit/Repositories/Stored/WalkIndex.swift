internal import FieldCore
internal import FieldFoundation

/// The walks of a snapshot in the order of a history, for all pets and for each pet.
struct WalkIndex: Sendable {
  struct Entry: Sendable {
    var start: Double
    var slot: Int
  }

  private(set) var all: [Entry] = []
  private(set) var byPet: [Pet.ID: [Entry]] = [:]

  init(_ snapshot: Snapshot<StoredWalks.Record>) {
    var walks: [(entry: Entry, pets: Range<Int>)] = []
    var pets: [Pet.ID] = []
    func add(_ start: Date, slot: Int, petsFrom first: Int) {
      let entry = Entry(start: start.timeIntervalSinceReferenceDate, slot: slot)
      walks.append((entry, first..<pets.count))
    }
    snapshot.scan { slot, record in
      guard let walk = record.walk else { return true }
      let first = pets.count
      pets += walk.pets.lazy.map(\.pet)
      add(walk.start, slot: slot, petsFrom: first)
      return true
    } stored: { slot, reader in
      guard try StoredWalks.Record.table(reading: &reader) == .walk else { return true }
      let first = pets.count
      let start = try Walk.start(reading: &reader) { pets.append($0) }
      add(start, slot: slot, petsFrom: first)
      return true
    }
    // Sort times instead of walks, which are large; compare the walks only if two began at the same
    // time.
    walks.sort { left, right in
      let (left, right) = (left.entry, right.entry)
      if left.start != right.start { return left.start > right.start }
      guard let left = snapshot.record(at: left.slot)?.walk,
        let right = snapshot.record(at: right.slot)?.walk
      else { return false }
      return Walk.isNewer(left, right)
    }
    all = walks.map(\.entry)
    for walk in walks {
      for place in walk.pets where !pets[walk.pets.lowerBound..<place].contains(pets[place]) {
        byPet[pets[place], default: []].append(walk.entry)
      }
    }
  }
}

/// An index that survives small changes, with the snapshot that it applies to.
struct WalkView: Sendable {
  let snapshot: Snapshot<StoredWalks.Record>
  let index: DerivedIndex<StoredWalks.Record, WalkIndex>
  /// The walks that differ from the index, in the order of a history.
  private let changed: [Walk]

  init(_ snapshot: Snapshot<StoredWalks.Record>, reusing earlier: WalkView?) {
    self.snapshot = snapshot
    index = DerivedIndex(of: snapshot, reusing: earlier?.index) { WalkIndex($0) }
    changed = index.changed.compactMap(\.walk).sorted(by: Walk.isNewer)
  }

  /// Returns a page of walks, using binary search to find its beginning.
  func page(_ query: WalkQuery) throws -> WalkPage {
    guard query.limit >= 1 else {
      throw FieldError(
        .invalidInput, "A page must have at least one walk, but the limit is \(query.limit).")
    }
    let after = try query.after?.position
    func isWanted(_ walk: Walk) -> Bool {
      if let pet = query.pet, !walk.includes(pet) { return false }
      if let period = query.period, !period.contains(walk.start) { return false }
      guard let after else { return true }
      return walk.start < after.start
        || walk.start == after.start && walk.id.rawValue > after.id.rawValue
    }
    let entries = query.pet.map { index.base.byPet[$0] ?? [] } ?? index.base.all
    let latest = min(
      after?.start.timeIntervalSinceReferenceDate ?? .infinity,
      query.period?.upperBound.timeIntervalSinceReferenceDate ?? .infinity)
    let earliest = query.period?.lowerBound.timeIntervalSinceReferenceDate ?? -.infinity
    var place = entries.partitioningIndex { $0.start <= latest }
    var more = changed.lazy.filter(isWanted).makeIterator()
    var nextChanged = more.next()
    var walks: [Walk] = []
    while walks.count <= query.limit {
      var nextKnown: Walk?
      while nextKnown == nil, place < entries.count, entries[place].start >= earliest {
        if let walk = index.record(at: entries[place].slot, in: snapshot)?.walk, isWanted(walk) {
          nextKnown = walk
        } else {
          place += 1
        }
      }
      if let known = nextKnown, nextChanged.map({ Walk.isNewer(known, $0) }) ?? true {
        walks.append(known)
        place += 1
      } else if let changed = nextChanged {
        walks.append(changed)
        nextChanged = more.next()
      } else {
        break
      }
    }
    guard walks.count > query.limit else { return WalkPage(walks: walks) }
    walks.removeLast()
    return WalkPage(walks: walks, next: walks.last.map(WalkPage.Cursor.init(after:)))
  }
}
