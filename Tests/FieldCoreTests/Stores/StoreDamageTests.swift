import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A damaged store file", .heavy)
struct StoreDamageTests {
  private static let path = "/data/stones.store"

  private static func open(_ bytes: [UInt8]) -> (FileStore<Stone>, MemoryFileSystem) {
    let fileSystem = MemoryFileSystem()
    fileSystem[path] = bytes
    return (FileStore<Stone>(unsharedPath: path, fileSystem: fileSystem), fileSystem)
  }

  /// A small file of several batches, and the content after each of its prefixes.
  private static func sample() async throws -> (bytes: [UInt8], states: [[Stone]]) {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Stone>(unsharedPath: path, fileSystem: fileSystem)
    var states: [[Stone]] = [[]]
    func commit(_ changes: Changes<Stone>, _ checkpoint: Checkpoint? = nil) async throws {
      try await store.commit(changes, checkpoint: checkpoint, expecting: nil)
      states.append(try await store.all)
    }
    try await commit(Changes([Stone("a", mass: 1.5), Stone("b", kind: "H5", year: -1880)]))
    try await commit(Changes([Stone("c")], removing: ["a"]), Checkpoint(fingerprint: "f"))
    try await commit(Changes([Stone("b", kind: "H5", found: true)]))
    var last = Changes<Stone>()
    last.removeAll()
    last.upsert(Stone("d", kind: "鐵", mass: -.infinity))
    try await commit(last)
    try await store.close()
    return (try #require(fileSystem[path]), states)
  }

  /// Opens the bytes and checks that a prefix of the commits comes back, or a clear error.
  private static func check(
    _ bytes: [UInt8], _ states: [[Stone]], _ what: Comment
  ) async throws {
    let (store, fileSystem) = open(bytes)
    do {
      let report = try await store.open()
      let all = try await store.all
      #expect(states.contains(all), what)
      let isWhole = all == states.last
      if report.isClean {
        #expect(isWhole || fileSystem[path] == bytes, what)
      } else {
        let cut = try #require(report.cuts.first, what)
        #expect(report.cuts.count == 1, what)
        // What was cut is beside the file, to the byte.
        let saved = try cut.savedAs.map { try #require(fileSystem[$0.path], what) } ?? []
        #expect(saved == Array(bytes[cut.offset...]), what)
        #expect(cut.byteCount == saved.count, what)
        #expect(!cut.reason.isEmpty, what)
      }
      // The store works, and opens without a complaint the next time.
      try await store.put(Stone("new"))
      try await store.close()
      let again = FileStore<Stone>(unsharedPath: path, fileSystem: fileSystem)
      #expect(try await again.open().isClean, what)
      #expect(try await again.all == all + [Stone("new")], what)
    } catch let error as FieldError {
      #expect([.damaged, .newerFormat, .invalidInput].contains(error.code), "\(what): \(error)")
      #expect(fileSystem[path] == bytes, "the file was changed: \(what)")
      #expect(fileSystem.paths.filter { $0.contains("damaged") }.isEmpty, what)
    }
  }

  @Test("a damaged store yields a prefix of the commits or an error, whichever byte is flipped")
  func flips() async throws {
    let (bytes, states) = try await Self.sample()
    for place in Sample.of(bytes.indices, 60) {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[place] ^= mask
        try await Self.check(damaged, states, "byte \(place) ^ \(mask)")
      }
    }
  }

  @Test("a damaged store file yields a prefix of the commits, wherever it is cut")
  func truncations() async throws {
    let (bytes, states) = try await Self.sample()
    var found: Set<Int> = []
    for count in Sample.of(0..<bytes.count, inDebug: bytes.count / 2) {
      try await Self.check(Array(bytes[..<count]), states, "cut at \(count)")
      let (store, _) = Self.open(Array(bytes[..<count]))
      found.insert(try #require(states.firstIndex(of: try await store.all)))
    }
    #expect(found == Set(0..<(states.count - 1)))
  }

  @Test("a damaged store isn't cut if whole commits follow the damage, but saved with all of them")
  func middle() async throws {
    let (bytes, states) = try await Self.sample()
    let header = try #require(Self.headerEnd(bytes))
    var damaged = bytes
    damaged[header + Frame.headerSize + 12] ^= 1
    let (store, fileSystem) = Self.open(damaged)
    let report = try await store.open()
    let cut = try #require(report.cuts.first)
    #expect(cut.offset == header)
    #expect(cut.reason == "a frame is damaged")
    #expect(cut.revisions == Revision(number: 1)...Revision(number: 4))
    #expect(cut.savedAs?.path == Self.path + ".damaged-1")
    #expect(fileSystem[Self.path + ".damaged-1"] == Array(damaged[header...]))
    #expect(try await store.all == states[0])
    #expect(store.openingReport == report)
  }

  /// A file of one commit, and the file after a second one.
  private static func twoCommits() async throws -> (first: [UInt8], second: [UInt8]) {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Stone>(unsharedPath: path, fileSystem: fileSystem)
    try await store.put(Stone("a"))
    let first = try #require(fileSystem[path])
    try await store.put(Stone("b"))
    return (first, try #require(fileSystem[path]))
  }

  @Test("a damaged store is cut before a frame whose header is damaged, whichever byte is flipped")
  func frameHeader() async throws {
    let (first, second) = try await Self.twoCommits()
    for place in 0..<Frame.headerSize {
      var damaged = second
      damaged[first.count + place] ^= 1
      let (store, _) = Self.open(damaged)
      let report = try await store.open()
      #expect(report.cuts.map(\.offset) == [first.count], "byte \(place)")
      #expect(report.cuts.map(\.reason) == ["a frame header is damaged"], "byte \(place)")
    }
  }

  @Test("a damaged store file is cut before a commit that doesn't follow the one before it")
  func order() async throws {
    let (first, second) = try await Self.twoCommits()
    let header = try #require(Self.headerEnd(second))
    let last = Array(second[first.count...])
    for (start, count) in [(second, 2), (Array(second[..<header]), 0)] {
      let (store, _) = Self.open(start + last)
      let report = try await store.open()
      #expect(report.cuts.map(\.offset) == [start.count])
      #expect(report.cuts.map(\.reason) == ["a frame doesn't follow the previous one"])
      #expect(report.recordCount == count)
    }
  }

  @Test("a store is rejected unchanged if its header is damaged, whichever byte is flipped")
  func header() async throws {
    let (bytes, _) = try await Self.twoCommits()
    for place in 0..<(try #require(Self.headerEnd(bytes))) {
      var damaged = bytes
      damaged[place] ^= 1
      let (store, fileSystem) = Self.open(damaged)
      let error = await #expect(throws: FieldError.self) { try await store.open() }
      #expect(error?.code == .damaged, "byte \(place)")
      #expect(fileSystem[Self.path] == damaged, "byte \(place)")
    }
  }

  @Test("a damaged store file never overwrites what was saved before")
  func names() async throws {
    let (bytes, _) = try await Self.sample()
    let (store, fileSystem) = Self.open(Array(bytes.dropLast()))
    fileSystem[Self.path + ".damaged-1"] = [1]
    fileSystem[Self.path + ".damaged-2"] = [2]
    #expect(try await store.open().cuts.first?.savedAs?.path == Self.path + ".damaged-3")
    #expect(fileSystem[Self.path + ".damaged-1"] == [1])
  }

  @Test("a damaged store file is unchanged and readable if the part to cut off can't be saved")
  func cannotSave() async throws {
    let (bytes, states) = try await Self.sample()
    let damaged = Array(bytes.dropLast())
    let (store, fileSystem) = Self.open(damaged)
    fileSystem.failAlways("write", ENOSPC)
    #expect(try await !store.open().isClean)
    #expect(try await store.all == states[states.count - 2])
    let error = await #expect(throws: FieldError.self) { try await store.put(Stone("new")) }
    #expect(error?.code == .diskFull)
    #expect(fileSystem[Self.path] == damaged)
  }

  @Test(
    "a file that never was a store is a clear error",
    arguments: ["hello, world, this is text", "<"])
  func foreign(text: String) async throws {
    let (store, fileSystem) = Self.open(Array(text.utf8))
    let error = await #expect(throws: FieldError.self) { try await store.snapshot() }
    #expect(error?.code == .damaged)
    #expect(fileSystem[Self.path] == Array(text.utf8))
  }

  @Test(
    "a damaged store file survives thousands of random mutations without a trap",
    arguments: Sample.of([1, 2, 3] as [UInt64], 1))
  func fuzz(seed: UInt64) async throws {
    let (bytes, _) = try await Self.sample()
    var chance = SeededGenerator(seed: seed)
    for round in 0..<400 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...4, using: &chance) { mutated.mutate(using: &chance) }
      let (store, _) = Self.open(mutated)
      do {
        _ = try await store.all
      } catch let error as FieldError {
        #expect(
          [.damaged, .newerFormat, .invalidInput].contains(error.code),
          "seed \(seed), round \(round): \(error)")
      }
    }
  }

  @Test(
    "a store file survives frames with correct checksums and invalid content",
    arguments: Sample.of([4, 5, 6], 1))
  func fuzzBehindChecksums(seed: UInt64) async throws {
    let runs: [Changes<Stone>.Run] = [
      .upserts((0..<40).map { Stone("s\($0)", kind: "k\($0 % 3)", year: $0) }),
      .removals(["s1", "s2"]), .removeAll, .upserts([Stone("x", mass: 1)]),
    ]
    let whole = try FrameCoding<Stone>.encode(runs, checkpoint: Checkpoint(fingerprint: "f")).bytes
    var header = StoreFileHeader(recordName: "Stone")
    header.creationID = [UInt8](repeating: 7, count: 16)
    var chance = SeededGenerator(seed: seed)
    var outcomes: Set<String> = []
    for round in 0..<Sample.rounds(1_500, 1_500, inDebug: 700) {
      var payload = Array(whole[Frame.headerSize...])
      for _ in 0..<Int.random(in: 1...3, using: &chance) { payload.mutate(using: &chance) }
      var frame = [UInt8](repeating: 0, count: Frame.headerSize) + payload
      _ = Frame.seal(
        &frame, kind: .batch, revision: Revision(number: 1), recordVersion: 1, seed: header.seed,
        at: header.bytes.count)
      let bytes = header.bytes + frame
      let (store, fileSystem) = Self.open(bytes)
      do {
        _ = try await store.all
        outcomes.insert("read")
      } catch let error as FieldError {
        outcomes.insert(error.code.rawValue)
        #expect(error.code == .damaged, "seed \(seed), round \(round): \(error)")
        #expect(fileSystem[Self.path] == bytes, "a file that is whole was changed")
      }
    }
    #expect(outcomes == ["read", "store.damaged"])
  }

  @Test(
    "a store file whose revision is the last possible one is read, and refuses commits",
    arguments: [UInt64.max, UInt64.max - 1])
  func lastRevision(number: UInt64) async throws {
    let runs: [Changes<Stone>.Run] = [.upserts([Stone("a"), Stone("b")])]
    var frame = try FrameCoding<Stone>.encode(runs, checkpoint: nil).bytes
    let header = StoreFileHeader(recordName: "Stone")
    _ = Frame.seal(
      &frame, kind: .base, revision: Revision(number: number), recordVersion: 1,
      seed: header.seed, at: header.bytes.count)
    let (store, fileSystem) = Self.open(header.bytes + frame)
    #expect(try await store.all == [Stone("a"), Stone("b")])
    if number < .max {
      #expect(try await store.put(Stone("c")) == Revision(number: .max))
    }
    let whole = fileSystem[Self.path]
    for _ in 0..<2 {
      await #expect(throws: FieldError.self) { try await store.put(Stone("d")) }
      await #expect(throws: FieldError.self) { try await store.update { $1.removeAll() } }
    }
    #expect(fileSystem[Self.path] == whole)
    #expect(try await store.all.count == (number == .max ? 2 : 3))
    // So does a copy of its content, in memory or in a store of your own.
    let last = try await store.snapshot()
    let next = last.applying(Changes(upserting: [Stone("d")]))
    #expect(next.revision == last.revision && next.count == last.count)
    // Salvaging what follows it ends nothing, either.
    let (doubled, _) = Self.open(header.bytes + frame + frame)
    #expect(try await doubled.all == [Stone("a"), Stone("b")])
    do { _ = try await doubled.salvage() } catch is FieldError {}
    #expect(try await doubled.all == [Stone("a"), Stone("b")])
  }

  private static func headerEnd(_ bytes: [UInt8]) -> Int? {
    guard case .header(_, let end) = try? StoreFileHeader.read(bytes) else { return nil }
    return end
  }
}

extension [UInt8] {
  /// Changes the bytes in one of the ways in which files and attackers do.
  mutating func mutate(using chance: inout SeededGenerator) {
    guard !isEmpty else { return append(.random(in: 0...255, using: &chance)) }
    let place = Int.random(in: indices, using: &chance)
    switch Int.random(in: 0..<7, using: &chance) {
    case 0: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
    case 1: self[place] = .random(in: 0...255, using: &chance)
    case 2: removeLast(Int.random(in: 0...(count / 4), using: &chance))
    case 3: self[place] = 0xFF
    case 4:
      let value = [0, .max, UInt64(count), 1 << 62, 0x7FFF_FFFF].randomElement(using: &chance) ?? 0
      for byte in 0..<8 where place + byte < count {
        self[place + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
      }
    case 5: insert(contentsOf: self[place...].prefix(20), at: place)
    default: removeSubrange(place..<Swift.min(count, place + 8))
    }
  }
}
