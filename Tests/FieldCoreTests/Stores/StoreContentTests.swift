import FieldCore
import TestSupport
import Testing

@Suite("The structures of a store's content")
struct StoreContentTests {
  @Test(
    "the vector returns what was appended, at every size around a node's",
    arguments: [0, 1, 31, 63, 64, 65, 128, 2047, 2048, 2049, 4096]
      + Sample.of([65_535, 65_536, 65_537, 70_000], inDebug: 1))
  func appending(count: Int) {
    var vector = SlotVector<Int>()
    for number in 0..<count { vector.append(number) }
    #expect(vector.count == count)
    #expect((0..<count).allSatisfy { vector[$0] == $0 })
    let leaves: [SlotVector<Int>.Node] = stride(from: 0, to: count, by: 64).map { start in
      .leaf((start..<min(start + 64, count)).map { $0 })
    }
    let built = SlotVector(leaves: leaves, count: count)
    #expect(built.count == count)
    #expect((0..<count).allSatisfy { built[$0] == $0 })
    var longer = built
    for number in count..<(count + 3000) { longer.append(number) }
    #expect((0..<(count + 3000)).allSatisfy { longer[$0] == $0 })
  }

  @Test(
    "a vector whose inner nodes are made on demand equals one whose nodes exist",
    arguments: [1, 64, 65, 2047, 2048, 2049] + Sample.of([65_536, 65_537, 70_000], inDebug: 1))
  func deferring(count: Int) {
    let nodes: [SlotVector<Int>.Node] = stride(from: 0, to: count, by: 2048).map { first in
      let end = min(first + 2048, count)
      let children = Once<[SlotVector<Int>.Node]>(
        made: stride(from: first, to: end, by: 64).map { start in
          .init(
            storing: StoredLeaf(
              RecordReader([], 0..<0), count: min(64, end - start),
              make: { _, count in (start..<start + count).map { $0 } },
              makeOne: { _, index in start + index }))
        })
      return .deferred(children, children.place)
    }
    let built = SlotVector(nodes, shift: 6, count: count)
    #expect((0..<count).allSatisfy { built[$0] == $0 })
    var longer = built
    for number in count..<(count + 3000) { longer.append(number) }
    for slot in stride(from: 0, to: count, by: 97) { longer.set(nil, at: slot) }
    #expect(
      (0..<(count + 3000)).allSatisfy {
        longer[$0] == ($0 < count && $0 % 97 == 0 ? nil : $0)
      })
    #expect((0..<count).allSatisfy { built[$0] == $0 }, "a copy was changed")
  }

  @Test("copies of a vector do not see each other's changes")
  func persistence() {
    var vector = SlotVector<Int>()
    for number in 0..<3000 { vector.append(number) }
    let before = vector
    for slot in stride(from: 0, to: 3000, by: 7) { vector.set(nil, at: slot) }
    let middle = vector
    for slot in 0..<3000 { vector.set(-slot, at: slot) }
    vector.append(1)
    #expect((0..<3000).allSatisfy { before[$0] == $0 })
    #expect((0..<3000).allSatisfy { middle[$0] == ($0 % 7 == 0 ? nil : $0) })
    #expect((0..<3000).allSatisfy { vector[$0] == -$0 })
    #expect(before.count == 3000 && vector.count == 3001)
  }

  @Test(
    "the index finds the slots of a model, whether they were added at once or later",
    arguments: [0, 1, 10, 33, 500, 1024, Sample.rounds(5_000, 5_000, inDebug: 1_500)],
    [.max, 0] + Sample.of([0xFFFF_F0FF, 0xF000_00FF] as [UInt32], inDebug: 1))
  func index(count: Int, bits: UInt32) throws {
    var chance = SeededGenerator(seed: UInt64(count) ^ UInt64(bits))
    let count = bits == 0 ? min(count, 500) : count
    func hash() -> UInt32 { UInt32.random(in: 0...UInt32.max, using: &chance) & bits }
    var hashes = (0..<count).map { _ in hash() }
    var repeated: [Int] = []
    let built = SlotIndex(hashes: hashes, seed: 0, repeated: &repeated)
    var known: Set<UInt32> = []
    #expect(repeated == hashes.indices.filter { !known.insert(hashes[$0]).inserted })
    var index = built
    var isPresent = Array(repeating: true, count: count)
    // Two slots are added for each that is removed, until the table was rebuilt.
    for _ in 0..<(bits == 0 ? 300 : 3 * count + 2000) {
      let slot = hashes.count
      if slot > 0, Int.random(in: 0..<3, using: &chance) == 0 {
        let removed = Int.random(in: 0..<slot, using: &chance)
        guard isPresent[removed] else { continue }
        index.remove(slot: removed, hash: hashes[removed])
        isPresent[removed] = false
      } else {
        hashes.append(hash())
        isPresent.append(true)
        index.insert(slot: slot, hash: hashes[slot])
      }
    }
    for (slot, hash) in hashes.enumerated() {
      let found = index.firstSlot(of: hash) { $0 == slot && isPresent[$0] }
      let earlier = built.firstSlot(of: hash) { $0 == slot }
      let other = index.firstSlot(of: hash) { hashes[$0] != hash }
      let isRight = found == (isPresent[slot] ? slot : nil)
      guard isRight, earlier == (slot < count ? slot : nil), other == nil else {
        Issue.record("slot \(slot): \(String(describing: (found, earlier, other)))")
        return
      }
    }
    #expect(index.table.count > built.table.count || bits == 0)
  }

  @Test("a change to a large vector copies its leaf and shares the others")
  func sharing() {
    var vector = SlotVector<Int>()
    for number in 0..<10_000 { vector.append(number) }
    let held = vector
    vector.set(-1, at: 5000)
    func leaf(_ slot: Int, of vector: SlotVector<Int>) -> UnsafePointer<Int?>? {
      unsafe vector.leaf(of: slot).withUnsafeBufferPointer { $0.baseAddress }
    }
    for slot in stride(from: 0, to: 10_000, by: 64) {
      let isShared = unsafe leaf(slot, of: vector) == leaf(slot, of: held)
      #expect(isShared == (slot != 5000 & ~63))
    }
  }

  @Test("the log returns the IDs of remembered commits, and nil beyond them")
  func log() {
    var log = ChangeLog<Int>(from: Revision(number: 5))
    #expect(log.ids(since: Revision(number: 5)) == [])
    #expect(log.ids(since: Revision(number: 4)) == nil)
    log.append([1, 2], revision: Revision(number: 6))
    log.append([2, 3], revision: Revision(number: 7))
    #expect(log.ids(since: Revision(number: 5)) == [1, 2, 3])
    #expect(log.ids(since: Revision(number: 6)) == [2, 3])
    #expect(log.ids(since: Revision(number: 8)) == nil)
    log.append(nil, revision: Revision(number: 8))
    #expect(log.ids(since: Revision(number: 7)) == nil)
    #expect(log.ids(since: Revision(number: 8)) == [])
    for number in 9...400 { log.append([number], revision: Revision(number: UInt64(number))) }
    #expect(log.ids(since: Revision(number: 8)) == nil)
    #expect(log.ids(since: Revision(number: 300)) == Set(301...400))
    log.append(Array(0..<ChangeLog<Int>.idLimit), revision: Revision(number: 401))
    #expect(log.ids(since: Revision(number: 399)) == nil)
    #expect(log.ids(since: Revision(number: 400))?.count == ChangeLog<Int>.idLimit)
    log.append(Array(0...ChangeLog<Int>.idLimit), revision: Revision(number: 402))
    #expect(log.ids(since: Revision(number: 401)) == nil)
  }

  @Test("a batch that restores everything in the same order changes nothing")
  func replacedByEqual() async throws {
    let store = InMemoryStore((0..<500).map { Note($0, "t") })
    var changes = Changes<Note>()
    changes.removeAll()
    for id in 0..<500 { changes.upsert(Note(id, "t")) }
    #expect(try await store.commit(changes, checkpoint: nil, expecting: nil) == .zero)
    changes.removeAll()
    for id in (0..<500).reversed() { changes.upsert(Note(id, "t")) }
    #expect(try await store.commit(changes, checkpoint: nil, expecting: nil).number == 1)
    #expect(try await store.all.first?.id == 499)
  }
}
