import FieldCore
import Foundation
import TestSupport
import Testing

/// Every workload of a few steps, every moment at which it may end, every state that the device may then
/// be in, and a second end while the next process recovers. At this depth nothing is left to chance.
@Suite("Every state of bounded depth", .timeLimit(.minutes(120)))
struct BoundedDepthTests {
  enum Step: String, CaseIterable, Sendable {
    case commit, deferredCommit, compact, reopen, tornEnd
    case failedSync, failedSyncs, failedDirectorySync
    case putBlob, remove, sweep
    case append, flush, finish
  }

  /// How many bytes reach the device together or not at all: so few that a small batch has several parts.
  private static let sectorSize = 64
  private static let stateLimit = 200_000
  /// How far apart the states are, from the first, in which the next process ends as well.
  private static let secondEndDistance = Sample.rounds(1, 1, inDebug: 6 + Int(Sample.seed() % 5))
  /// How many states are looked at after a second end.
  private static let secondEndLimit = Sample.rounds(.max, .max, inDebug: 200)

  private struct Counts: CustomStringConvertible {
    var workloads = 0
    /// The moments, states, and distinct states after the first end, and after the second.
    var moments = [0, 0]
    var states = [0, 0]
    var distinct = [0, 0]
    var failures = 0
    /// What was looked at, with the number of ends.
    private var known: [Fingerprint: Int] = [:]

    /// Notes that something is looked at, and returns whether that is new.
    mutating func isNew(_ what: some Hashable, _ endCount: Int) -> Bool {
      let key = Fingerprint(what)
      guard known[key, default: 0] < endCount else { return false }
      known[key] = endCount
      return true
    }

    var description: String {
      "\(workloads) workloads; \(moments[0]) moments, \(states[0]) states, \(distinct[0]) distinct; "
        + "second end: \(moments[1]) moments, \(states[1]) states, \(distinct[1]) distinct"
    }
  }

  @Test(
    "every state of bounded depth keeps what was promised when the process or the power fails",
    .heavy(seconds: 2),
    arguments: Step.allCases)
  func everyState(first: Step) async {
    var counts = Counts()
    let fate = Sample.seed() &+ UInt64(Step.allCases.firstIndex(of: first) ?? 0)
    let endsTwice = Sample.isOptimized || fate % 7 == 0
    await explore([first], endCount: endsTwice ? 2 : 1, &counts)
    // In debug builds, each step follows two others, so that every run costs the same. They are so far apart that no
    // two have few states.
    let all = Step.allCases
    let two = [0, 5].map { all[(Int(fate % UInt64(all.count)) + $0) % all.count] }
    for second in Sample.isOptimized || Sample.isWhole ? all : two {
      await explore([first, second], endCount: Sample.isWhole ? 2 : 1, &counts)
      guard Sample.isWhole else { continue }
      for third in Step.allCases { await explore([first, second, third], endCount: 2, &counts) }
      print("Bounded depth, \(first.rawValue), \(second.rawValue): \(counts)")
    }
    print("Bounded depth, \(first.rawValue) first: \(counts)")
    #expect(counts.distinct[0] > (Sample.isOptimized ? 100 : 20))
    #expect(counts.distinct[1] > 0 || !endsTwice)
  }

  /// Looks at the moments of the last step: those before it are moments of a shorter workload.
  private func explore(_ steps: [Step], endCount: Int, _ counts: inout Counts) async {
    let machine = Machine(MemoryFileSystem())
    machine.files.keepMoments()
    var start = 0
    let what = steps.map(\.rawValue).joined(separator: ", ")
    do {
      for step in steps {
        start = machine.files.callCount
        try await machine.run(step)
      }
    } catch {
      Issue.record("\(what): \(error)")
      return
    }
    counts.workloads += 1
    await end(machine.ends.filter { $0.moment.callCount > start }, endCount, what, &counts)
  }

  /// Lets the process and the power fail at each of the moments, and looks at what is there.
  private func end(
    _ ends: [Machine.End], _ endCount: Int, isSecond: Bool = false, _ what: String,
    _ counts: inout Counts
  ) async {
    let place = isSecond ? 1 : 0
    for end in ends {
      let promises = end.promises
      counts.moments[place] += 1
      guard counts.isNew(MomentAndPromises(facts: end.moment.facts, promises: promises), endCount)
      else { continue }
      let what = "\(what) | \(end.moment.lastCall)"
      counts.states[place] += 1
      counts.distinct[place] += 1
      let dead = Machine(end.moment.afterDeath, promises)
      await recover(dead, isPowerCut: false, endCount, "\(what), process", &counts)
      let cuts = end.moment.powerCuts(sectorSize: Self.sectorSize, limit: Self.stateLimit)
      if !cuts.isComplete { Issue.record("\(what): more than \(Self.stateLimit) states") }
      for device in cuts {
        guard counts.failures < 5 else { return }
        counts.states[place] += 1
        guard counts.isNew(DeviceAndPromise(device, promises.afterPowerCut), endCount) else {
          continue
        }
        counts.distinct[place] += 1
        let next = Machine(
          MemoryFileSystem(device),
          Machine.Promises(
            afterPowerCut: promises.afterPowerCut, afterDeath: promises.afterPowerCut))
        await recover(next, isPowerCut: true, endCount, "\(what), power", &counts)
      }
    }
  }

  private func recover(
    _ machine: Machine, isPowerCut: Bool, _ endCount: Int, _ what: String,
    _ counts: inout Counts
  ) async {
    let goesOn =
      endCount > 1 && counts.distinct[1] < Self.secondEndLimit
      && (counts.states[0] - 1).isMultiple(of: Self.secondEndDistance)
    if goesOn { machine.files.keepMoments() }
    var problems = await machine.recover(isPowerCut: isPowerCut)
    let callCount = machine.files.callCount
    if goesOn, problems.isEmpty { problems = await machine.commitAfterRecovery() }
    guard problems.isEmpty else {
      counts.failures += 1
      Issue.record("\(what): \(problems.joined(separator: "; "))")
      return
    }
    guard goesOn else { return }
    // During the recovery, and when the first commit after it has returned.
    let all = machine.ends
    let ends = all.filter { $0.moment.callCount <= callCount } + all.suffix(1)
    await end(ends, endCount - 1, isSecond: true, what, &counts)
  }

  // MARK: the model

  @Test("every state of bounded depth has any part of a write, a truncation, or a failed sync")
  func contents() throws {
    let files = MemoryFileSystem()
    files["/a"] = [0, 0, 0]
    files.keepMoments()
    func found() throws -> Set<[UInt8]> {
      let moment = try #require(files.keptMoments.last)
      let cuts = moment.powerCuts(sectorSize: 1, limit: 1_000)
      #expect(cuts.isComplete)
      return Set(cuts.compactMap { $0.files["/a"] })
    }
    let file = try files.openFile("/a", .writing)
    try files.write([1, 1, 1], to: file, at: 0)
    #expect(try found().count == 8)
    try files.sync(file)
    #expect(try found() == [[1, 1, 1]])
    try files.truncate(file, to: 1)
    try files.write([2], to: file, at: 1)
    #expect(try found().isSuperset(of: [[1], [1, 1], [1, 2], [1, 1, 1], [1, 2, 1]]))
    try files.sync(file)
    #expect(try found() == [[1, 2]])
    try files.write([3, 3], to: file, at: 0)
    files.failNext("sync")
    #expect(throws: FileSystemError.self) { try files.sync(file) }
    try files.sync(file)
    #expect(try found() == [[1, 2], [3, 2], [1, 3], [3, 3]])
    try files.write([3], to: file, at: 0)
    try files.sync(file)
    #expect(try found() == [[3, 2], [3, 3]])
  }

  @Test("every state of bounded depth has names in any order, and none in a lost directory")
  func names() throws {
    let files = MemoryFileSystem()
    files.keepMoments()
    func found() throws -> Set<Set<String>> {
      let moment = try #require(files.keptMoments.last)
      return Set(moment.powerCuts(sectorSize: 1, limit: 1_000).map { Set($0.files.keys) })
    }
    try files.makeDirectory("/d")
    for name in ["/d/a", "/d/b"] { try files.closeFile(try files.openFile(name, .makingNew)) }
    #expect(try found() == [[], ["/d/a"], ["/d/b"], ["/d/a", "/d/b"]])
    try files.syncDirectory("/d")
    #expect(try found() == [[], ["/d/a", "/d/b"]])
    files.failNext("syncDirectory")
    #expect(throws: FileSystemError.self) { try files.syncDirectory("/") }
    try files.syncDirectory("/")
    #expect(try found() == [["/d/a", "/d/b"]])
    try files.rename("/d/a", to: "/d/c")
    try files.remove("/d/b")
    #expect(
      try found() == [["/d/a", "/d/b"], ["/d/a"], ["/d/c", "/d/b"], ["/d/c"]])
  }
}

/// 128 bits that stand for a value, because there are too many of these to keep.
private struct Fingerprint: Hashable {
  private let first: Int
  private let second: Int

  init(_ value: some Hashable) {
    func hash(_ salt: Int) -> Int {
      var hasher = Hasher()
      hasher.combine(salt)
      hasher.combine(value)
      return hasher.finalize()
    }
    first = hash(1)
    second = hash(2)
  }
}

/// A moment and what must be there after an end.
private struct MomentAndPromises: Hashable {
  var facts: MemoryFileSystem.Facts
  var promises: Machine.Promises
}

/// A state of the device and what it must have.
private struct DeviceAndPromise: Hashable {
  var device: MemoryFileSystem.Device
  var promise: Machine.Promise

  init(_ device: MemoryFileSystem.Device, _ promise: Machine.Promise) {
    self.device = device
    self.promise = promise
    for path in device.files.keys where MemoryFileSystem.isSetAside(path) {
      self.device.files[path] = []
    }
  }
}

/// A process that uses a store, blobs and journals, and what it has promised.
private final class Machine {
  struct Entries: Hashable {
    var tried: [String]
    /// How many of them must be there.
    var sure: Int
  }

  /// What must be there after an end.
  struct Promise: Hashable {
    /// The contents of the store, of which one is there.
    var contents: Set<[Note]> = [[]]
    var blobs: Set<BlobID> = []
    var journals: [String: Entries] = [:]
  }

  struct Promises: Hashable {
    var afterPowerCut = Promise()
    var afterDeath = Promise()
  }

  /// A moment at which the process or the power may fail, and what has been promised then.
  struct End {
    var moment: MemoryFileSystem.Moment
    var promises: Promises
  }

  private struct Event {
    var callCount: Int
    var promises: Promises
  }

  private static let root = "/\(UUID().uuidString)"
  private static let path = root + "/notes.store"

  let files: MemoryFileSystem
  private let blobs: FileBlobStore
  private let journals: TextJournals
  private var core: FileStoreCore<Note>
  private var journal: Journal?
  private var name = ""
  private var number = 0
  private var events: [Event] = []
  private var promises: Promises {
    didSet { events.append(Event(callCount: files.callCount, promises: promises)) }
  }

  init(_ files: MemoryFileSystem, _ promises: Promises = Promises()) {
    self.files = files
    self.promises = promises
    events = [Event(callCount: 0, promises: promises)]
    blobs = FileBlobStore(
      path: Self.root + "/photos.blobs", grace: .zero, clock: .system, fileSystem: files)
    journals = TextJournals(files, Self.root + "/texts.journals")
    core = Self.core(files)
  }

  private static func core(_ files: MemoryFileSystem) -> FileStoreCore<Note> {
    FileStoreCore(
      path: path, access: .readWrite, fileSystem: files, clock: .system,
      patience: .milliseconds(20))
  }

  /// The moments that were kept, each with what was promised before the next call that changed something.
  var ends: [End] {
    let moments = files.keptMoments
    return moments.indices.map { place in
      let next = place + 1 < moments.count ? moments[place + 1].callCount : .max
      let event = events.last { $0.callCount < next }
      return End(moment: moments[place], promises: event?.promises ?? promises)
    }
  }

  private func promise(_ change: (inout Promise) -> Void) {
    var next = promises
    change(&next.afterPowerCut)
    change(&next.afterDeath)
    promises = next
  }

  // MARK: steps

  func run(_ step: BoundedDepthTests.Step) async throws {
    number += 1
    switch step {
    case .commit: await put(.full)
    case .deferredCommit: await put(.deferred)
    case .compact:
      guard await put(.deferred) else { return }
      let snapshot = try await core.snapshot()
      core.tryCompacting(snapshot)
    case .reopen:
      _ = try await core.snapshot()
      if (try? await core.closeIfUnused()) != nil {
        let contents = promises.afterDeath.contents
        promises.afterPowerCut.contents = contents
      }
      try await reopen()
    case .tornEnd:
      _ = try await core.snapshot()
      let file = try files.openFile(Self.path, .writing)
      try files.write([1, 2, 3, 4, 5], to: file, at: try files.status(of: file).size)
      try files.closeFile(file)
      try await reopen()
    case .failedSync: await put(failing: "sync")
    case .failedSyncs: await put(failing: "sync", times: 2)
    case .failedDirectorySync:
      core = Self.core(files)
      await put(failing: "syncDirectory")
    case .putBlob: try await putBlob()
    case .remove: try await remove()
    case .sweep: try await sweep(releasing: [])
    case .append: try append()
    case .flush:
      let journal = try append()
      try journal.flush()
      let sure = promises.afterDeath.journals[name]?.sure ?? 0
      promises.afterPowerCut.journals[name]?.sure = sure
    case .finish:
      let journal = try journal ?? makeJournal()
      guard await put(.full, Self.walk(name)) else { return }
      promise { $0.journals[name]?.sure = 0 }
      try journal.remove()
      self.journal = nil
    }
  }

  private func reopen() async throws {
    core = Self.core(files)
    _ = try await core.open()
  }

  /// Commits two records, and returns whether that succeeded.
  @discardableResult
  private func put(_ durability: Durability, _ text: String = "") async -> Bool {
    await commit(
      Changes(upserting: [Note(2 * number, text), Note(2 * number + 1)]), durability)
  }

  private func put(failing call: String, times: Int = 1) async {
    files.failNext(call, times: times)
    await put(.full)
    files.failAlways(nil)
  }

  private func commit(_ changes: Changes<Note>, _ durability: Durability) async -> Bool {
    guard let before = try? await core.snapshot() else { return false }
    let after = Array(before.applying(changes))
    promise { _ = $0.contents.insert(after) }
    let done: Revision? = try? await core.commit(
      changes, checkpoint: nil, expecting: nil, durability: durability)
    guard done != nil else { return false }
    var next = promises
    next.afterDeath.contents = [after]
    if durability == .full { next.afterPowerCut.contents = [after] }
    promises = next
    return true
  }

  private func putBlob() async throws {
    let lease = try await blobs.put(Array("blob \(number)".utf8))
    defer { lease.end() }
    promise { _ = $0.blobs.insert(lease.id) }
    if await put(.full, "blob \(lease.id.hexadecimal)") { try await blobs.claim([lease.id]) }
  }

  /// Removes the first record, after releasing its blob, as the kits do.
  private func remove() async throws {
    guard let note = try await core.snapshot().first else { return }
    var changes = Changes<Note>()
    changes.remove(note.id)
    let ids = Set([Self.blob(of: note)].compactMap(\.self))
    if !ids.isEmpty { try await blobs.release(ids) }
    if await commit(changes, .full) {
      if !ids.isEmpty { try await sweep(releasing: ids) }
    } else {
      try await blobs.claim(ids)
    }
  }

  private func sweep(releasing ids: Set<BlobID>) async throws {
    let used = Set(try await durableRecords().compactMap(Self.blob))
    try await blobs.sweepUnclaimed(releasing: ids) { used }
  }

  /// Returns the records that the destruction of blobs and journals may rely on.
  private func durableRecords() async throws -> [Note] {
    // Opened first, because a failed commit may have reappeared.
    _ = try await core.open()
    let found = Array(try await core.durableSnapshot())
    promise { promise in
      promise.contents = [found]
      promise.blobs.formIntersection(found.compactMap(Self.blob))
    }
    return found
  }

  private static func walk(_ name: String) -> String { "walk \(name)" }

  /// Removes the journals of the walks among the records.
  private func removeSaved(_ found: [Note]) throws {
    for name in promises.afterDeath.journals.keys.sorted()
    where found.contains(where: { $0.text == Self.walk(name) }) {
      guard case .opened(let opened) = try journals.open(name) else { continue }
      promise { $0.journals[name]?.sure = 0 }
      try opened.journal.remove()
    }
  }

  private static func blob(of note: Note) -> BlobID? {
    note.text.hasPrefix("blob ") ? BlobID(hexadecimal: String(note.text.dropFirst(5))) : nil
  }

  @discardableResult
  private func append() throws -> Journal {
    let journal = try journal ?? makeJournal()
    let text = "\(number)"
    promise { $0.journals[name]?.tried.append(text) }
    try journal.append(text)
    promises.afterDeath.journals[name]?.sure += 1
    return journal
  }

  private func makeJournal() throws -> Journal {
    let name = "j\(number)"
    self.name = name
    promise { $0.journals[name] = Entries(tried: ["first"], sure: 0) }
    let made = try journals.make(name)
    promise { $0.journals[name]?.sure = 1 }
    journal = made
    return made
  }

  // MARK: recovery

  /// Opens everything as the next process does, and returns what is wrong.
  ///
  /// What is found now must be found again after another end, because nothing else was promised since.
  func recover(isPowerCut: Bool) async -> [String] {
    let expected = promises.afterDeath
    var problems: [String] = []
    do {
      let found = Array(try await core.snapshot())
      if !expected.contents.contains(found) { problems.append("records \(found.map(\.id))") }
      let used = Set(found.compactMap(Self.blob))
      for id in expected.blobs.union(used) {
        if try await blobs.bytes(of: id) == nil { problems.append("no blob \(id)") }
      }
      var next = Promise(contents: [found], blobs: expected.blobs.intersection(used))
      try journals.directory.removeLeftovers()
      let names = Set(try journals.directory.names())
      if !names.isSubset(of: expected.journals.keys) { problems.append("journals \(names)") }
      for (name, entries) in expected.journals {
        let texts = try journals.read(name)?.texts ?? []
        if texts.count < entries.sure || texts != Array(entries.tried.prefix(texts.count)) {
          problems.append("journal \(name): \(texts)")
        }
        next.journals[name] = Entries(tried: entries.tried, sure: texts.count)
      }
      promises.afterDeath = next
      if isPowerCut { promises.afterPowerCut = next }
      promises.afterPowerCut.blobs.formIntersection(used)
      events = [Event(callCount: 0, promises: promises)]
      let durable = try await durableRecords()
      if durable != found { problems.append("durable records \(durable.map(\.id))") }
      try removeSaved(durable)
      try await sweep(releasing: [])
      for id in used {
        if try await blobs.bytes(of: id) == nil { problems.append("swept blob \(id)") }
      }
    } catch {
      problems.append("\(error)")
    }
    return problems
  }

  /// Commits once more, which must succeed, and returns what is wrong.
  func commitAfterRecovery() async -> [String] {
    number = 100
    return await put(.full) ? [] : ["no commit after the recovery"]
  }
}
