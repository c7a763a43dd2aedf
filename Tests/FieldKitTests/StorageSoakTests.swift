import FieldFakes
import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

/// A directory that many tasks use at once, through the public interface only.
@Suite("A storage that a thousand tasks use", .timeLimit(.minutes(60)))
struct StorageSoakTests {
  /// `FIELDKIT_SOAK_SECONDS=600` is the long form. Without it, each task does a few things.
  private static let seconds =
    ProcessInfo.processInfo.environment["FIELDKIT_SOAK_SECONDS"].flatMap { Int($0) }

  @Test(
    "a storage that a thousand tasks use loses nothing acknowledged, and is whole afterwards",
    .heavy(seconds: 5), arguments: Sample.of([Durability.deferred, .full], 1))
  func soak(durability: Durability) async throws {
    let folder = try TemporaryFolder()
    let users = try (0..<4).map { _ in try SoakUser(folder.url, durability) }
    let ledger = SoakLedger()
    let seed = Sample.seed()
    // Half of the time for each kind of durability, if there are both.
    let end = Self.seconds.map { ContinuousClock.now + .seconds(Sample.isWhole ? $0 / 2 : $0) }
    let watcher = Task {
      var last = Revision.zero
      do {
        for try await snapshot in users[0].tallies.updates() {
          #expect(snapshot.revision >= last)
          last = snapshot.revision
        }
      } catch let error as FieldError where error.code == .closed {
        // On a busy machine, it may begin after all the others have ended.
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1_000 {
        var task = SoakTask(number, users[number % users.count], ledger, seed: seed)
        group.addTask {
          var step = 0
          while end.map({ ContinuousClock.now < $0 }) ?? (step < 2) {
            try await task.act()
            step += 1
          }
        }
      }
      try await group.waitForAll()
    }
    for user in users { try await user.close() }
    try await watcher.value
    try await check(folder.url, ledger.content, "seed \(seed)")
    #expect(try openFiles(in: folder.url).isEmpty, "seed \(seed)")
  }

  private func check(_ folder: URL, _ ledger: SoakLedger.Content, _ what: Comment) async throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for file in files where file.hasSuffix(".store") {
      #expect(try await StoreFile(folder.appending(path: file)).examine().isIntact, what)
    }
    for end in [".new", ".saving"] { #expect(!files.contains { $0.hasSuffix(end) }, what) }
    #expect(!files.contains { $0.contains(".damaged") }, what)

    let user = try SoakUser(folder, .full)
    #expect(try await user.tallies.open().isClean, what)
    let snapshot = try await user.tallies.snapshot()
    #expect(snapshot.revision.number == ledger.commitCount, what)
    var tallies = ledger.tallies
    if ledger.sum > 0 { tallies[-1] = Tally(id: -1, count: ledger.sum) }
    #expect(Set(snapshot) == Set(tallies.values), what)
    for tally in snapshot {
      guard let blob = tally.blob else { continue }
      #expect(try await user.blobs.bytes(of: blob) == tally.bytes, what)
    }
    let listing = try await user.zoo.listing()
    #expect(listing.problems.isEmpty, what)
    #expect(Set(listing.map(\.name)) == Set(ledger.sightings.keys), what)
    for entry in listing {
      #expect(try await user.zoo.image(for: entry).data == ledger.sightings[entry.name], what)
    }
    #expect(Set(try await user.walks.allWalks().map(\.id)) == ledger.walks, what)
    #expect(try await user.walks.unfinished().isEmpty, what)
    try await user.close()
  }

  /// The files in a folder that this process has open, where the system lists them.
  private func openFiles(in folder: URL) throws -> [String] {
    let list = "/proc/self/fd"
    guard FileManager.default.fileExists(atPath: list) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: list).compactMap {
      // Others close theirs meanwhile.
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(list)/\($0)")
    }.filter { $0.contains(folder.lastPathComponent) }
  }
}

/// A record of a task, or the one that all of them change.
private struct Tally: StoredRecord, Hashable {
  var id: Int
  var count: Int
  var blob: BlobID?

  /// The bytes of the blob.
  var bytes: [UInt8] { Array("blob \(id)".utf8) }
}

/// The stores and kits of a storage; several storages of a directory share them.
private struct SoakUser: Sendable {
  let tallies: any RecordStore<Tally>
  let blobs: any BlobStore
  let zoo: Zoo
  let walks: WalkDiary

  init(_ folder: URL, _ durability: Durability) throws {
    let storage = Storage.directory(folder, durability: durability)
    let transport = StubTransport { _ in }
    tallies = try storage.records("tallies", of: Tally.self)
    blobs = try storage.blobs("tallies")
    zoo = Zoo(storage: storage, transport: transport)
    walks = WalkDiary(
      storage: storage, transport: transport, rules: PetRules(required: []))
  }

  func close() async throws {
    try await zoo.close()
    try await walks.close()
    try await tallies.close()
  }
}

/// What calls have acknowledged.
private final class SoakLedger: Sendable {
  struct Content: Sendable {
    var tallies: [Int: Tally] = [:]
    var sum = 0
    var commitCount: UInt64 = 0
    var sightings: [String: Data] = [:]
    var walks: Set<Walk.ID> = []
  }

  private let state = Lock(Content())

  var content: Content { state.withLock(\.self) }
  func note(_ change: (inout Content) -> Void) { state.withLock { change(&$0) } }
}

/// A task that does one thing after another.
private struct SoakTask: Sendable {
  let number: Int
  let user: SoakUser
  let ledger: SoakLedger
  var chance: SeededGenerator
  var mine: Tally?
  var last = Revision.zero

  init(_ number: Int, _ user: SoakUser, _ ledger: SoakLedger, seed: UInt64) {
    self.number = number
    self.user = user
    self.ledger = ledger
    chance = SeededGenerator(seed: seed &+ UInt64(number))
  }

  mutating func act() async throws {
    switch Int.random(in: 0..<50, using: &chance) {
    case 0..<16:
      try await commit(Tally(id: number, count: (mine?.count ?? 0) + 1, blob: mine?.blob))
    case 16..<30: try await increment()
    case 30..<42: try await look()
    case 42, 43: #expect(try await user.tallies.open().isClean)
    case 44, 45: try await put()
    case 46: try await see()
    case 47: try await walk()
    default: try await remove()
    }
  }

  private mutating func newName() -> String {
    "\(number) \(Int.random(in: 0..<Int.max, using: &chance))"
  }

  private mutating func note(_ revision: Revision) {
    #expect(revision > last, "task \(number)")
    last = revision
  }

  private mutating func commit(_ tally: Tally) async throws {
    note(
      try await user.tallies.commit(
        Changes(upserting: [tally]), checkpoint: nil, expecting: nil))
    mine = tally
    ledger.note { content in
      content.tallies[tally.id] = tally
      content.commitCount += 1
    }
  }

  private mutating func remove() async throws {
    guard mine != nil else { return try await look() }
    var changes = Changes<Tally>()
    changes.remove(number)
    note(try await user.tallies.commit(changes, checkpoint: nil, expecting: nil))
    mine = nil
    ledger.note { content in
      content.tallies[number] = nil
      content.commitCount += 1
    }
  }

  /// Changes the record that all tasks change.
  private mutating func increment() async throws {
    let revision = try await user.tallies.update { snapshot, changes in
      changes.upsert(Tally(id: -1, count: (snapshot[id: -1]?.count ?? 0) + 1))
    }
    note(revision)
    ledger.note { content in
      content.sum += 1
      content.commitCount += 1
    }
  }

  private mutating func look() async throws {
    let snapshot = try await user.tallies.snapshot()
    #expect(snapshot.revision >= last, "task \(number)")
    #expect(snapshot[id: number] == mine, "task \(number)")
    last = snapshot.revision
    guard let mine, let blob = mine.blob else { return }
    #expect(try await user.blobs.bytes(of: blob) == mine.bytes, "task \(number)")
  }

  private mutating func put() async throws {
    var tally = Tally(id: number, count: (mine?.count ?? 0) + 1)
    let lease = try await user.blobs.put(tally.bytes)
    tally.blob = lease.id
    try await commit(tally)
    try await user.blobs.claim([lease.id])
    lease.end()
  }

  private mutating func see() async throws {
    let name = newName()
    let photo = Data(FakeTaipeiOpenData.SmallPicture.jpeg(number))
    let sighting = try await user.zoo.addSighting(name: name, photo: photo)
    guard Bool.random(using: &chance) else {
      return ledger.note { $0.sightings[name] = photo }
    }
    try await user.zoo.removeSighting(sighting.id)
  }

  /// Records a walk, whose entries are in a journal meanwhile.
  private mutating func walk() async throws {
    let pet = try await user.walks.register(PetRegistration(name: newName()))
    let recorder = try await user.walks.start(pets: [pet.id])
    for step in 0..<5 {
      let place = try Coordinate(latitude: 37.5 + Double(step) / 100_000, longitude: 127)
      _ = await recorder.record(LocationFix(coordinate: place, accuracy: .meters(5), time: Date()))
    }
    guard Bool.random(using: &chance) else { return try await recorder.discard() }
    let walk = try await recorder.finish()
    ledger.note { _ = $0.walks.insert(walk.id) }
  }
}
