internal import FieldCore
internal import FieldFoundation

/// A snapshot of a diary's store with the order of its walks, from which later views continue.
final class WalkView: Sendable {
  /// The order of walks in a history, by their time: see ``time(of:)``.
  private typealias Order = OrderIndex<Double>
  private typealias Kept = KeptIndex<WalkRecord, Order>

  let snapshot: Snapshot<WalkRecord>
  private let content: IndexedSnapshot<WalkRecord>
  private let all: Kept
  /// The orders of the walks of the pets that have been asked for.
  private let byPet: Lock<[Pet.ID: Kept]>

  init(_ snapshot: Snapshot<WalkRecord>, after earlier: WalkView?) {
    self.snapshot = snapshot
    let content = IndexedSnapshot(snapshot)
    self.content = content
    all = Kept(of: content, after: earlier?.all, price: 0, form: Self.form) {
      Order(of: $0, stored: { try Self.time(reading: &$0) }, by: Self.time)
    } update: {
      $0.updated(by: $1, value: Self.time)
    }
    let known = earlier?.byPet.withLock { $0 } ?? [:]
    byPet = Lock(
      Dictionary(
        uniqueKeysWithValues: known.map { pet, kept in
          (pet, Self.order(of: pet, in: content, after: kept))
        }))
  }

  // MARK: Orders

  private static let form = Order.form("walks", "", by: time)

  private static func order(
    of pet: Pet.ID, in content: IndexedSnapshot<WalkRecord>, after earlier: Kept?
  ) -> Kept {
    let time = { @Sendable (record: WalkRecord) in
      record.walk?.includes(pet) == true ? Self.time(of: record) : nil
    }
    return Kept(of: content, after: earlier, price: scansBeforeOrder) {
      Order(of: $0, stored: { try Self.time(reading: &$0, of: pet) }, by: time)
    } update: {
      $0.updated(by: $1, value: time)
    }
  }

  /// The number of pages of a pet that cost about as much as an order of the pet's own walks.
  private static var scansBeforeOrder: Int { 4 }

  /// Returns the start of a walk in seconds before the reference date, so that the newest comes first; `nil` for other
  /// records.
  private static func time(of record: WalkRecord) -> Double? {
    record.walk.map { -$0.start.timeIntervalSinceReferenceDate }
  }

  /// Reads the time of a stored walk; the result is `nil` for other records, and for walks without the pet.
  private static func time(
    reading reader: inout RecordReader, of pet: Pet.ID? = nil
  ) throws -> Double? {
    guard try WalkRecord.table(reading: &reader) == .walk else { return nil }
    var isIncluded = pet == nil
    let start = try Walk.start(reading: &reader) { if $0 == pet { isIncluded = true } }
    return isIncluded ? -start.timeIntervalSinceReferenceDate : nil
  }

  // MARK: Pages

  /// Returns a page of walks, using binary search to find its beginning.
  func page(_ query: WalkQuery) throws -> WalkPage {
    guard query.limit >= 1 else {
      throw FieldError(
        .invalidInput, "A page must have at least one walk, but the limit is \(query.limit).")
    }
    let after = try query.after?.position
    guard let pet = query.pet else {
      return page(query, after, in: all.index, testing: .max) ?? WalkPage(walks: [])
    }
    let own = byPet.withLock { byPet in
      byPet[pet].making { Self.order(of: pet, in: content, after: nil) }
    }
    // A pet is on most walks of most diaries, whose order is known, or in the file.
    if let order = own.index(insteadOf: 1) {
      return page(query, after, in: order, testing: .max) ?? WalkPage(walks: [])
    }
    let few = min(query.limit, 1 << 20) * 4 + 64
    return page(query, after, in: all.index, testing: few)
      ?? page(query, after, in: own.index, testing: .max) ?? WalkPage(walks: [])
  }

  /// Returns a page of the walks in an order, or `nil` if it isn't found by testing a number of them.
  private func page(
    _ query: WalkQuery, _ after: (start: Date, id: Walk.ID)?, in order: Order, testing most: Int
  ) -> WalkPage? {
    func isWanted(_ walk: Walk) -> Bool {
      if let pet = query.pet, !walk.includes(pet) { return false }
      if let period = query.period, !period.contains(walk.start) { return false }
      guard let after else { return true }
      return walk.start < after.start
        || walk.start == after.start && walk.id.rawValue > after.id.rawValue
    }
    let latest = min(
      after?.start.timeIntervalSinceReferenceDate ?? .infinity,
      query.period?.upperBound.timeIntervalSinceReferenceDate ?? .infinity)
    let earliest = query.period?.lowerBound.timeIntervalSinceReferenceDate ?? -.infinity
    var walks: [Walk] = []
    // The walks that began at the same time as the last one, which the order doesn't sort by their IDs.
    var (lastTime, first) = (Double.nan, 0)
    func sortLast() {
      if walks.count - first > 1 { walks[first...].sort { $0.id.rawValue < $1.id.rawValue } }
    }
    var (tested, isFound) = (0, true)
    order.forEach(in: ValueRange(lower: -latest, upper: -earliest), .ascending) { slot in
      guard let walk = snapshot.record(at: Int(slot))?.walk else { return true }
      let time = walk.start.timeIntervalSinceReferenceDate
      if time != lastTime {
        sortLast()
        (lastTime, first) = (time, walks.count)
        isFound = walks.count > query.limit || tested < most
        guard walks.count <= query.limit, isFound else { return false }
      }
      tested += 1
      if isWanted(walk) { walks.append(walk) }
      return true
    }
    guard isFound else { return nil }
    sortLast()
    guard walks.count > query.limit else { return WalkPage(walks: walks) }
    walks.removeLast(walks.count - query.limit)
    return WalkPage(walks: walks, next: walks.last.map(WalkPage.Cursor.init(after:)))
  }
}
