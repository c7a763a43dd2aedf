import FieldCore
import FieldFakes
import FieldKit
import FirestoreFakes
import Foundation
import TestSupport
import WalkFirestore

/// An action of a process, with what the ledger says of it.
struct Action: Sendable {
  let world: SimulatedWorld
  let process: SimulatedProcess
  let step: SimulationStep
  /// Whether no other step goes on.
  let isAlone: Bool

  private var device: Int { SimulatedWorld.device(of: step.process) }
  private var diary: WalkDiary { process.diary }

  private func ledger<Result>(_ body: (inout SimulationLedger) -> Result) -> Result {
    world.ledger.withLock(body)
  }

  /// Notes what was acknowledged, unless the process has ended before that.
  private func acknowledge(_ body: (inout SimulationLedger) -> Void) {
    if !process.files.isDead { ledger(body) }
  }

  private func chosen<Element>(_ list: [Element]) -> Element? {
    list.isEmpty ? nil : list[Int(step.draw / 7) % list.count]
  }

  /// A photo that no other one equals.
  private func photo() -> Data {
    let number = ledger { $0.number() }
    var chance = SeededGenerator(seed: UInt64(number))
    let size = Int(step.draw % 3_000)
    return Data(FakeTaipeiOpenData.SmallPicture.jpeg(number))
      + Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &chance) })
  }

  func run() async throws -> String {
    switch step.action {
    case .register: try await register()
    case .changePet: try await changePet()
    case .deletePet: try await deletePet()
    case .start: try await start()
    case .record: try await record()
    case .note: try await note()
    case .photo: try await takePhoto()
    case .pause: try await pause()
    case .suspend: try await suspend()
    case .finish: try await finish()
    case .discard: try await discard()
    case .recover: try await recover()
    case .annotate: try await annotate()
    case .deleteWalk: try await deleteWalk()
    case .refreshWalks: "\(try await diary.refresh(.now).outcome)"
    case .addSighting: try await addSighting()
    case .editSighting: try await editSighting()
    case .removeSighting: try await removeSighting()
    case .refreshZoo: try await refreshZoo()
    case .picture: try await picture()
    case .refreshStones: try await refreshStones()
    case .changeStones: changeStones()
    case .changeAnimals: changeAnimals()
    case .wait: try await wait(.seconds(Int(step.draw % 7_200)))
    case .waitLong: try await wait(.seconds(86_400 * Int(1 + step.draw % 60)))
    case .setClock: setClock()
    case .kill: kill()
    case .cutPower: cutPower()
    case .endUploads: endUploads()
    }
  }

  // MARK: Pets

  private func register() async throws -> String {
    let name = "pet \(ledger { $0.number() })"
    let portrait: Data? = step.draw % 2 == 0 ? photo() : nil
    ledger { _ = $0.doubtfulPets.insert(name) }
    let pet = try await diary.register(PetRegistration(name: name, photo: portrait))
    acknowledge {
      $0.doubtfulPets.remove(name)
      $0.pets[pet.id] = .init(id: pet.id, weights: [nil], portraits: [portrait])
    }
    return name
  }

  private func changePet() async throws -> String {
    guard let pet = chosen(try await diary.pets()) else { return "no pet" }
    var changes = PetChanges()
    let number = ledger { $0.number() }
    let weight = Double(number % 90 + 1)
    let portrait = step.draw % 2 == 0 ? photo() : nil
    if let portrait { changes.photo = portrait } else { changes.weight = .kilograms(weight) }
    ledger {
      if let portrait {
        $0.pets[pet.id]?.portraits.insert(portrait)
      } else {
        $0.pets[pet.id]?.weights.insert(weight)
      }
    }
    try await diary.update(pet.id, changes)
    return pet.name
  }

  private func deletePet() async throws -> String {
    guard let pet = chosen(try await diary.pets()) else { return "no pet" }
    ledger {
      if $0.pets[pet.id]?.presence == .kept { $0.pets[pet.id]?.presence = .doubtful }
      for (id, walk) in $0.walks where walk.pet == pet.id && walk.presence == .kept {
        $0.walks[id]?.presence = .doubtful
      }
    }
    try await diary.delete(pet.id)
    acknowledge { $0.pets[pet.id]?.presence = .removed }
    return pet.name
  }

  // MARK: Recording

  private var recorder: WalkRecorder? { process.recorder.withLock(\.self) }

  /// Ends the reference to a recorder whose walk is over.
  private func release() { process.recorder.withLock { $0 = nil } }

  private func start() async throws -> String {
    guard recorder == nil else { return "already recording" }
    guard let pet = chosen(try await diary.pets()) else { return try await register() }
    ledger { $0.doubtfulStarts += 1 }
    let recorder = try await diary.start(pets: [pet.id])
    process.recorder.withLock { $0 = recorder }
    let isDoubtful = ledger { $0.pets[pet.id]?.presence != .kept }
    acknowledge {
      $0.doubtfulStarts -= 1
      $0.walks[recorder.id] = .init(
        device: device, pet: pet.id, presence: isDoubtful ? .doubtful : .kept)
    }
    return "walk with \(pet.name)"
  }

  /// Notes that all that was acknowledged is on the device.
  private func noteSync(_ recorder: WalkRecorder) {
    guard recorder.current.savingFailure == nil else { return }
    acknowledge { ledger in
      let kept = ledger.walks[recorder.id]?.kept ?? []
      ledger.walks[recorder.id]?.synced = kept
    }
  }

  private func record() async throws -> String {
    guard let recorder else { return try await start() }
    var accepted = 0
    for number in 0..<Int(step.draw % 25 + 1) {
      try await process.clock.sleep(for: .seconds(1))
      let time = process.clock.now
      let meters =
        1.5
        * (world.scheduler.time / .seconds(1)).truncatingRemainder(
          dividingBy: 10_000)
      let fix = LocationFix(
        coordinate: try Coordinate(
          latitude: 37.5 + meters / 111_000, longitude: 127 + Double(number % 2) / 100_000),
        accuracy: .meters(8), time: time)
      ledger { _ = $0.walks[recorder.id]?.offered.insert(time) }
      guard await recorder.record(fix).isAccepted else { continue }
      accepted += 1
      acknowledge { _ = $0.walks[recorder.id]?.kept.insert(time) }
    }
    return "\(accepted) fixes"
  }

  private func note() async throws -> String {
    guard let recorder else { return try await start() }
    let text = "note \(ledger { $0.number() })"
    ledger { $0.walks[recorder.id]?.notes[text] = false }
    try await recorder.addNote(text)
    noteSync(recorder)
    guard recorder.current.savingFailure == nil else { return "unsynced \(text)" }
    acknowledge { $0.walks[recorder.id]?.notes[text] = true }
    return text
  }

  private func takePhoto() async throws -> String {
    guard let recorder else { return try await start() }
    let photo = photo()
    ledger { $0.walks[recorder.id]?.photos[photo] = false }
    try await recorder.addPhoto(photo)
    noteSync(recorder)
    guard recorder.current.savingFailure == nil else { return "unsynced" }
    acknowledge { $0.walks[recorder.id]?.photos[photo] = true }
    return "\(photo.count) bytes"
  }

  private func pause() async throws -> String {
    guard let recorder else { return try await start() }
    if recorder.state == .paused { try await recorder.resume() } else { try await recorder.pause() }
    noteSync(recorder)
    return "\(recorder.state)"
  }

  private func suspend() async throws -> String {
    try await diary.suspend()
    try await process.clock.sleep(for: .seconds(Int(step.draw % 100_000)))
    do {
      try await diary.resume()
    } catch let error as FieldError where error.code == .walkIsTaken {
      release()
      return "taken"
    }
    return "resumed"
  }

  private func finish() async throws -> String {
    guard let recorder else { return try await start() }
    do {
      _ = try await recorder.finish()
    } catch let error as FieldError where error.code == .unknownPet {
      // Its pet was deleted meanwhile.
      try await discard()
      return "without a pet"
    }
    acknowledge { $0.walks[recorder.id]?.isSaved = true }
    release()
    return "saved"
  }

  @discardableResult
  private func discard() async throws -> String {
    guard let recorder else { return "no walk" }
    ledger { $0.walks[recorder.id]?.presence = .doubtful }
    try await recorder.discard()
    // Without a sync of the directory, a power failure may restore the journal.
    if isAlone, step.mishap == nil {
      acknowledge { $0.walks[recorder.id]?.presence = .removed }
    }
    release()
    return "discarded"
  }

  private func recover() async throws -> String {
    let found = try await diary.unfinished()
    for walk in found {
      if recorder == nil, step.draw % 3 == 0 {
        let recorder = try await walk.resume()
        process.recorder.withLock { $0 = recorder }
        continue
      }
      try await world.finish(walk, acknowledge: acknowledge)
    }
    return "\(found.count) walks"
  }

  // MARK: Walks

  private func annotate() async throws -> String {
    guard let walk = chosen(try await diary.allWalks()) else { return try await finish() }
    let text = "later \(ledger { $0.number() })"
    ledger { $0.walks[walk.id]?.notes[text] = false }
    let time = process.clock.now
    try await process.cloud.stored.updateWalk(walk.id) {
      $0.notes.append(WalkNote(text: text, time: time))
    }
    acknowledge { $0.walks[walk.id]?.notes[text] = true }
    return text
  }

  private func deleteWalk() async throws -> String {
    guard let walk = chosen(try await diary.allWalks()) else { return "no walk" }
    ledger {
      if $0.walks[walk.id]?.presence == .kept { $0.walks[walk.id]?.presence = .doubtful }
    }
    try await diary.delete(walk.id)
    // A recorder that was suspended when another process saved its walk saves the walk once more.
    guard !world.isRecording(walk.id) else { return "deleted while it is recorded" }
    acknowledge { $0.walks[walk.id]?.presence = .removed }
    return "deleted"
  }

  // MARK: Sightings

  private func addSighting() async throws -> String {
    let name = "sighting \(ledger { $0.number() })"
    let photo = photo()
    ledger { _ = $0.doubtfulSightings.insert(name) }
    let sighting = try await process.zoo.addSighting(name: name, photo: photo)
    let isNew = ledger { ledger in
      ledger.sightings[device].values.allSatisfy { $0.number != sighting.number }
    }
    world.expect(isNew, "the number \(sighting.number) was given twice")
    acknowledge {
      $0.doubtfulSightings.remove(name)
      $0.sightings[device][sighting.id] = .init(
        id: sighting.id, number: sighting.number, photo: .init(photo))
    }
    return name
  }

  private func editSighting() async throws -> String {
    guard let sighting = chosen(try await process.zoo.sightings()) else {
      return try await addSighting()
    }
    let photo = photo()
    ledger { $0.sightings[device][sighting.id]?.photo.offer(photo) }
    try await process.zoo.editSighting(sighting.id, photo: photo)
    acknowledge { $0.sightings[device][sighting.id]?.photo.resolve(photo, isAlone: isAlone) }
    return sighting.name
  }

  private func removeSighting() async throws -> String {
    guard let sighting = chosen(try await process.zoo.sightings()) else { return "none" }
    ledger {
      if $0.sightings[device][sighting.id]?.presence == .kept {
        $0.sightings[device][sighting.id]?.presence = .doubtful
      }
    }
    try await process.zoo.removeSighting(sighting.id)
    acknowledge { $0.sightings[device][sighting.id]?.presence = .removed }
    return sighting.name
  }

  // MARK: Rows and pictures

  /// Checks the dates of a kit that has just been refreshed.
  private func checkDates(_ last: Date?, _ next: Date?, _ kit: String) {
    let now = process.clock.now
    let age = last.map { now.timeIntervalSince($0) } ?? .infinity
    world.expect((-1...900).contains(age), "the \(kit) are \(age) s old after a refresh")
    let wait = next.map { $0.timeIntervalSince(now) } ?? -1
    world.expect((-1...90_000).contains(wait), "the \(kit) are due in \(wait) s after a refresh")
  }

  private func refreshZoo() async throws -> String {
    let report = try await process.zoo.refresh(.now)
    if isAlone {
      checkDates(
        try await process.zoo.lastRefresh, try await process.zoo.nextRefreshDate, "animals")
    }
    return "\(report.outcome)"
  }

  private func picture() async throws -> String {
    guard let animal = try await process.zoo.view().animals.first else {
      return try await refreshZoo()
    }
    let asset = try await process.zoo.image(for: animal)
    world.expect(
      [UInt8](asset.data) == FakeTaipeiOpenData.SmallPicture.jpeg, "a picture has other bytes")
    return "\(asset.data.count) bytes"
  }

  private func refreshStones() async throws -> String {
    // The source changes between the pages.
    if step.draw % 2 == 0 {
      let (world, draw) = (world, Int(step.draw))
      world.servers.stones.onRequest = { number, _ in
        if (number + draw) % 3 == 0 { world.changeStones(draw &+ number &* 31) }
      }
    }
    let report = try await process.stones.refresh(.now)
    if isAlone {
      checkDates(
        try await process.stones.lastRefresh, try await process.stones.nextRefreshDate, "stones")
    }
    try await world.checkStones(of: process)
    return "\(report.outcome)"
  }

  private func changeStones() -> String {
    for number in 0..<3 { world.changeStones(Int(step.draw) &+ number &* 17) }
    return "\(world.servers.stones.rowCount) stones"
  }

  private func changeAnimals() -> String {
    let count = Int(step.draw % 3 + 3)
    world.servers.zoo.publish(SimulatedServers.animals(count))
    return "\(count) animals"
  }

  // MARK: The world

  private func wait(_ duration: Duration) async throws -> String {
    // A recorder that can't save tries again every few seconds, which is too much to simulate for weeks.
    let duration = world.isRecording ? min(duration, .seconds(86_400)) : duration
    try await world.scheduler.sleep(for: duration)
    if isAlone, step.mishap == nil, duration > .seconds(60), let recorder {
      let failure = recorder.current.savingFailure
      world.expect(failure == nil, "the walk still isn't saved: \(failure as Any)")
    }
    return "\(duration)"
  }

  private func setClock() -> String {
    guard isAlone else { return "not now" }
    let seconds = Double(step.draw % 200_000) - 100_000
    world.shift(device, by: seconds)
    return "by \(seconds) s"
  }

  private func kill() -> String {
    world.end(step.process)
    return "killed"
  }

  private func cutPower() -> String {
    guard isAlone else { return "not now" }
    world.restart(device, powerCut: step.draw | 1)
    return "cut"
  }

  private func endUploads() -> String {
    world.servers.bucket.endSessions()
    return "ended"
  }
}
