internal import FieldCore

/// The slots of meteorites by the numbers of their ids: one look into an array instead of a hash, for
/// loops that look up by the million.
///
/// A slot that it gives may be out of date; whoever asks compares the id, and looks into the snapshot
/// when it is another.
struct NumberTable: Sendable {
  private let slots: [Int32]

  /// Makes the table; ids that are texts, and numbers far beyond the others, have no place in it.
  init(of snapshot: Snapshot<Meteorite>) {
    var numbers: [(number: UInt64, slot: Int32)] = []
    numbers.reserveCapacity(snapshot.count)
    let limit = UInt64(snapshot.count) * 8 + 1_024
    var greatest: UInt64 = 0
    for slot in 0..<snapshot.slotLimit {
      guard case .number(let number)? = snapshot.record(at: slot)?.id.storage, number < limit else {
        continue
      }
      numbers.append((number, Int32(slot)))
      greatest = max(greatest, number)
    }
    var slots = [Int32](repeating: -1, count: numbers.isEmpty ? 0 : Int(greatest) + 1)
    for (number, slot) in numbers { slots[Int(number)] = slot }
    self.slots = slots
  }

  /// The slot that the number had, when it had one.
  func slot(of number: UInt64) -> Int? {
    guard number < UInt64(slots.count) else { return nil }
    let slot = slots[Int(number)]
    return slot < 0 ? nil : Int(slot)
  }
}
