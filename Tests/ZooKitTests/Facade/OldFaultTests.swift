import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing
import ZooKit

/// What the old app got wrong, line by line.
@Suite("What the old app got wrong", .timeLimit(.minutes(60)))
struct OldFaultTests {
  private let clock = ManualClock(now: Samples.noon)

  // 1.5-1 of Docs/old-apps.md
  @Test(
    "an invalid response is an error, and the list is still available with its age",
    arguments: [
      FakeTaipeiOpenData.Failure.webPage, .serverError, .noBody, .noResults, .noRows,
      .cut(after: 60),
    ])
  func badAnswers(failure: FakeTaipeiOpenData.Failure) async throws {
    let portal = FakeTaipeiOpenData(
      datasets: [Portal.animals(count: 30), Portal.areas(count: 3), Portal.plants])
    let immediate = ImmediateClock(now: Samples.noon)
    let zoo = Zoo(
      sources: TaipeiZoo(transport: portal).sources, storage: .inMemory, transport: portal,
      clock: immediate)
    try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    portal.fail(failure)
    await #expect(throws: FieldError.self) { try await zoo.refresh() }
    #expect(try await zoo.listing().lines == ["0 石虎"])
    #expect(try await zoo.listing().lastRefresh == nil)
    portal.fail(nil)
    try await zoo.refresh(.now)
    let before = try await zoo.listing()
    #expect(before.count == 31)
    portal.fail(failure)
    try await immediate.sleep(for: .seconds(90_000))
    await #expect(throws: FieldError.self) { try await zoo.refresh() }
    #expect(try await zoo.listing() == before)
    let age = try #require(before.age(at: immediate.now))
    #expect(age >= .seconds(90_000))
  }

  // 1.5-1 of Docs/old-apps.md
  @Test("the user's records are available without a network")
  func offline() async throws {
    let zoo = Zoo.offline()
    try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    let error = await #expect(throws: FieldError.self) { try await zoo.refresh() }
    #expect(error?.code == .offline)
    #expect(try await zoo.listing().lines == ["0 石虎"])
    #expect(try await zoo.lastRefresh == nil)
  }

  // 1.5-2 of Docs/old-apps.md
  @Test("an entry knows whether it is local, even if old counter and names disagree")
  func disagreement() async throws {
    let folder = try TemporaryFolder()
    for number in [1, 2] {
      try Photos.jpeg(number).write(to: folder.url.appending(path: "\(number).jpg"))
    }
    // The first name is missing, and the counter is behind the names.
    let old = LegacyZooData(
      defaults: ["insertionID": 2, "nameOfID1": "雲豹", "nameOfID2": "黑熊"],
      documents: folder.url)
    let zoo = Zoo(
      sources: ScriptedZoo(Samples.animals("大貓熊")).sources, storage: .inMemory, clock: clock)
    let takeover = try await zoo.importLegacyData(old)
    #expect(takeover.failures.map(\.number) == [0])
    try await zoo.refresh()
    let listing = try await zoo.listing()
    #expect(listing.lines == ["2 黑熊", "1 雲豹", "3 大貓熊"])
    #expect(listing.map(\.isLocal) == [true, true, false])
  }

  // 1.5-3 of Docs/old-apps.md
  @Test("a lost or damaged photo only costs its entry the picture")
  func damagedPhotos() async throws {
    let folder = try TemporaryFolder()
    let zoo = Zoo(
      sources: ScriptedZoo(Samples.animals("大貓熊")).sources, storage: .directory(folder.url),
      clock: clock)
    try await zoo.refresh()
    let all = try await (0..<4).asyncMap {
      try await zoo.addSighting(name: "\($0)", photo: Photos.jpeg($0))
    }
    func file(_ index: Int) -> URL {
      folder.url.appending(path: "sightings.blobs/\(all[index].photo?.blob.hexadecimal ?? "")")
    }
    try FileManager.default.removeItem(at: file(0))
    try Data(Photos.jpeg(1).dropLast(5)).write(to: file(1))
    var changed = Photos.jpeg(2)
    changed[changed.count - 3] ^= 1
    try changed.write(to: file(2))
    let listing = try await zoo.listing()
    #expect(listing.lines == ["3 3", "2 2", "1 1", "0 0", "4 大貓熊"])
    #expect(listing.map(\.problem) == [nil, nil, .photoDamaged, .photoLost, nil])
    for (entry, problem) in zip(listing.dropFirst(), [.photoDamaged, .photoDamaged, .photoLost])
      as Zip2Sequence<Slice<ZooListing>, [SightingProblem]>
    {
      let error = await #expect(throws: FieldError.self) { try await zoo.image(for: entry) }
      #expect(error?.code == .sightingDamaged)
      #expect(error?.problems == [problem.rawValue])
    }
    // What is found when the bytes are read is told from then on.
    let told = try await zoo.listing()
    #expect(told.map(\.problem) == [nil, .photoDamaged, .photoDamaged, .photoLost, nil])
    #expect(told[1].picture == nil)
    #expect(try await zoo.image(for: told[0]).data == Photos.jpeg(3))
    // A new photo makes it whole again.
    try await zoo.editSighting(all[0].id, photo: Photos.jpeg(0))
    #expect(try await zoo.listing()[3].problem == nil)
    try await zoo.close()
  }

  // 1.5-3 of Docs/old-apps.md
  @Test("an unreadable record doesn't affect the others")
  func damagedRecord() async throws {
    let whole = Sighting(
      id: Sighting.ID(rawValue: "a"), number: 0, name: "石虎",
      photo: Sighting.Photo(blob: BlobID(of: [1]), format: .jpeg, byteCount: 1), date: clock.now)
    var writer = RecordWriter()
    try whole.write(to: &writer)
    for cut in 1..<30 {
      let bytes = Array(writer.bytes.dropLast(cut))
      var damaged = RecordReader(bytes, 0..<bytes.count)
      let sighting = try Sighting(reading: &damaged)
      #expect((sighting.id, sighting.number) == (whole.id, whole.number))
      #expect(sighting.problem == .recordDamaged)
      #expect(damaged.remainingCount == 0)
      // A later version may be able to read it.
      var again = RecordWriter()
      try sighting.write(to: &again)
      #expect(Array(again.bytes) == bytes)
    }
    var reader = RecordReader(writer.bytes, 0..<writer.bytes.count)
    #expect(try Sighting(reading: &reader) == whole)
  }

  // 1.5-4 of Docs/old-apps.md
  @Test("name, photo, and number are one step, so a failing store leaves none of them")
  func atomicity() async throws {
    let fileSystem = MemoryFileSystem()
    let zoo = Zoo.unshared(
      in: URL(filePath: "/data"), seed: 1, fileSystem: fileSystem, clock: ImmediateClock())
    try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(1))
    for call in ["write", "rename"] {
      fileSystem.failAlways(call)
      let error = await #expect(throws: FieldError.self) {
        try await zoo.addSighting(name: "雲豹", photo: Photos.jpeg(2))
      }
      #expect(error?.code == .io)
      fileSystem.failAlways(nil)
      #expect(try await zoo.listing().lines == ["0 石虎"])
    }
    try await zoo.addSighting(name: "雲豹", photo: Photos.jpeg(2))
    #expect(try await zoo.listing().lines == ["1 雲豹", "0 石虎"])
  }

  // 1.5-4 of Docs/old-apps.md
  @Test("no photo without a record remains at the next start, whatever call fails")
  func orphans() async throws {
    // A folder of its own, because other tests have leases of the same photos in the same files.
    let folder = URL(filePath: "/\(UUID().uuidString)")
    for number in 1...200 {
      let fileSystem = MemoryFileSystem()
      let zoo = Zoo.unshared(in: folder, seed: 1, fileSystem: fileSystem, clock: ImmediateClock())
      try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(1))
      let call = fileSystem.callCount + number
      fileSystem.fail(at: call, .failure(EIO))
      var lines = ["1 雲豹", "0 石虎"]
      do {
        try await zoo.addSighting(name: "雲豹", photo: Photos.jpeg(2))
      } catch let error as FieldError {
        #expect(error.code == .io, "\(error)")
        lines = ["0 石虎"]
      }
      guard fileSystem.callCount >= call else { return }
      #expect(try await zoo.listing().lines == lines, "call \(number)")
      // The process ends, and another one starts after the time that unclaimed photos are left alone.
      let files = fileSystem.afterCrash(seed: nil)
      let clock = ImmediateClock(now: Date(timeIntervalSince1970: 4_000_000_000))
      let again = Zoo.unshared(in: folder, seed: 2, fileSystem: files, clock: clock)
      #expect(try await again.listing().lines == lines, "call \(number)")
      let photos = files.paths.filter {
        $0.hasPrefix(folder.path + "/sightings.blobs/")
          && BlobID(hexadecimal: String($0.split(separator: "/").last ?? "")) != nil
      }
      #expect(photos.count == lines.count, "call \(number)")
    }
    Issue.record("more than 200 calls for one sighting")
  }

  // 1.5-5 of Docs/old-apps.md
  @Test("overlapping refreshes share one run, and no animal is duplicated")
  func overlapping() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊", "無尾熊"))
    let zoo = Zoo(sources: source.sources, storage: .inMemory, clock: clock)
    source.hold()
    let callers = CallerExecutor()
    let calls = (0..<20).map { _ in callers.start { try await zoo.refresh(.now) } }
    try await eventually { !source.calls.isEmpty }
    await callers.idle()
    source.release()
    var reports: [RefreshReport] = []
    for call in calls { reports.append(try await call.value) }
    #expect(Set(reports).count == 1)
    #expect(try await zoo.listing().lines == ["0 大貓熊", "1 無尾熊"])
    #expect(source.calls == [.animals])
  }

  // 1.5-6 of Docs/old-apps.md
  @Test("adding, changing, or removing a record sends no request")
  func noRefetch() async throws {
    let portal = FakeTaipeiOpenData(datasets: [Portal.animals(count: 3)])
    let zoo = Zoo(
      sources: TaipeiZoo(transport: portal).sources, storage: .inMemory, transport: portal)
    try await zoo.refresh()
    let count = portal.requests.count
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    try await zoo.editSighting(sighting.id, name: "雲豹")
    _ = try await zoo.listing()
    try await zoo.removeSighting(sighting.id)
    #expect(portal.requests.count == count)
  }

  // 1.5-7 of Docs/old-apps.md
  @Test("an animal keeps its identity while its number shifts, across pages, too")
  func identity() async throws {
    let portal = FakeTaipeiOpenData(datasets: [Portal.animals(count: 45)], cap: 20)
    let zoo = Zoo(
      sources: TaipeiZoo(transport: portal).sources, storage: .inMemory, transport: portal)
    try await zoo.refresh()
    let before = try await zoo.listing()
    #expect(before.map(\.sequence) == Array(0..<45))
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    let after = try await zoo.listing()
    #expect(after.dropFirst().map(\.id) == before.map(\.id))
    #expect(after.dropFirst().map(\.sequence) == Array(1..<46))
    #expect(Set(after.map(\.id)).count == 46)
    try await zoo.removeSighting(sighting.id)
    #expect(try await zoo.listing().map(\.sequence) == Array(1..<46))
  }

  // 1.5-8 of Docs/old-apps.md
  @Test("names are trimmed, blank ones rejected, and photos have a limit")
  func limits() async throws {
    let zoo = Zoo.offline(limits: SightingLimits(photoBytes: 10))
    let error = await #expect(throws: FieldError.self) {
      try await zoo.addSighting(name: " \u{3000} ", photo: Photos.jpeg())
    }
    #expect(error?.sightingProblems == [.nameMissing, .photoTooLarge])
    let stored = try await Zoo.offline().addSighting(name: " 石虎 ", photo: Photos.jpeg())
    #expect(stored.name == "石虎")
  }

  // 1.5-8 of Docs/old-apps.md
  @Test("a photo may have exactly the maximum size", arguments: [-1, 0, 1])
  func photoLimit(over: Int) async throws {
    let photo = Photos.jpeg()
    let zoo = Zoo.offline(limits: SightingLimits(photoBytes: photo.count - over))
    if over <= 0 {
      #expect(try await zoo.addSighting(name: "石虎", photo: photo).photo?.byteCount == photo.count)
    } else {
      let error = await #expect(throws: FieldError.self) {
        try await zoo.addSighting(name: "石虎", photo: photo)
      }
      #expect(error?.sightingProblems == [.photoTooLarge])
    }
  }

  // 1.5-9 of Docs/old-apps.md
  @Test("a URL with spaces is a picture like any other")
  func spaces() async throws {
    let bytes = [UInt8](Photos.jpeg())
    let path = "/Ateles fusciceps/Ateles fusciceps_Pic01.jpg"
    let portal = FakeTaipeiOpenData(
      datasets: [
        FakeTaipeiOpenData.Dataset(
          Portal.animalID,
          rows: [["A_Name_Ch": "黑猩猩", "A_Pic01_URL": "http://www.zoo.gov.tw\(path)"]])
      ], pictures: [path: .init(bytes: bytes)])
    let zoo = Zoo(
      sources: TaipeiZoo(transport: portal).sources, storage: .inMemory, transport: portal)
    try await zoo.refresh()
    #expect(try await zoo.image(for: zoo.listing()[0]).data == Data(bytes))
  }
}
