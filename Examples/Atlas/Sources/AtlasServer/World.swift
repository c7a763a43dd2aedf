import FieldKit
import Foundation
import Logging

/// The objects that all requests share: the field, the hub, and the tasks that keep both up to date.
final class World: Sendable {
  let atlas: AtlasField
  let hub = Hub()
  let metrics = Metrics()
  let replay: WalkReplay
  let metroDay: MetroDay
  let socrata: SocrataSync
  let own: OwnData
  private let logger: Logger
  private let opening: OpeningReport
  private let openingTime: Duration
  private let inventory = Locked<[String: InventoryItem]>([:])

  var field: Field { atlas.field }

  init(atlas: AtlasField, logger: Logger) async throws {
    self.atlas = atlas
    self.logger = logger
    let clock = ContinuousClock()
    let start = clock.now
    opening = try await atlas.field.open()
    own = try OwnData(
      folder: atlas.folder.appending(path: "own"), transport: atlas.visitorTransport)
    try await own.open()
    openingTime = clock.now - start
    replay = WalkReplay(
      diary: atlas.field.walks, clock: atlas.clock, hub: hub, track: atlas.track,
      folder: atlas.folder)
    metroDay = MetroDay()
    socrata = SocrataSync(atlas: atlas, hub: hub)
    try await replay.prepare()
    sendHello()
    await tellOwn()
  }

  func sendHello() {
    hub.send("hello", hello)
  }

  var hello: HelloPayload {
    HelloPayload(
      process: ProcessInfo.processInfo.processIdentifier, started: Self.started,
      restarts: Int(ProcessInfo.processInfo.environment["ATLAS_RESTARTS"] ?? "") ?? 0,
      mode: atlas.control.mode, sources: field.dataSources.map(\.attribution))
  }

  private static let started = Date()

  // MARK: Tasks

  // atlas:begin updates
  /// Runs until it's canceled: sends what changes in each kit, and refreshes each kit when it's due.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { [self] in
        for await board in field.metro.boards(every: .seconds(10)) {
          hub.send("metro", MetroBoardPayload(board, network: field.metro.network))
          take(InventoryItem(kit: "metro", count: board.arrivals.count, checksum: "—"))
        }
      }
      group.addTask { [self] in
        await following("meteorites", field.meteorites.updates()) { view in
          hub.send("meteorites", MeteoriteSummary(view))
          return inventoryItem(view)
        }
      }
      group.addTask { [self] in
        await following("zoo", field.zoo.listingUpdates()) { listing in
          hub.send("zoo", ZooSummary(listing))
          return inventoryItem(listing)
        }
      }
      group.addTask { [self] in
        await following("walks", field.walks.updates()) { _ in
          let walks = try await field.walks.allWalks()
          hub.send("walks", ["walks": walks.count])
          return inventoryItem(walks)
        }
      }
      group.addTask { [self] in
        await following("city", field.civic.updates()) { view in
          hub.send("city", ["units": view.units.count])
          return inventoryItem(view)
        }
      }
      group.addTask { [self] in
        for await step in field.refreshProgress() {
          hub.send("progress", payload(step), isSticky: false)
        }
      }
      group.addTask { [self] in await refreshWhenDue() }
      group.addTask { [self] in
        while (try? await Task.sleep(for: .seconds(10))) != nil {
          hub.send("beat", ["clients": hub.clientCount], isSticky: false)
        }
      }
    }
  }
  // atlas:end updates

  /// Refreshes what is due, now and every minute; the metro is polled by itself.
  private func refreshWhenDue() async {
    repeat {
      for kit in ["zoo", "civic", "meteorites"] where !Task.isCancelled {
        await refresh(kit, .ifDue)
      }
      await own.refreshDue()
    } while (try? await Task.sleep(for: .seconds(60))) != nil
  }

  /// Refreshes a kit, and tells everyone how it went.
  @discardableResult
  func refresh(_ name: String, _ trigger: RefreshTrigger) async -> RefreshPayload? {
    guard let kit = field.kits.first(where: { $0.name == name }) else { return nil }
    let clock = ContinuousClock()
    let start = clock.now
    func milliseconds() -> Double { ((clock.now - start) / .milliseconds(1) * 10).rounded() / 10 }
    var payload: RefreshPayload
    do {
      let report = try await kit.refresh(trigger)
      payload = RefreshPayload(
        kit: name, outcome: report.outcome.rawValue, rows: report.rows, added: report.added,
        updated: report.updated, removed: report.removed, milliseconds: milliseconds())
    } catch {
      payload = RefreshPayload(
        kit: name, outcome: "failed", milliseconds: milliseconds(), failure: FailurePayload(error))
      logger.notice("refresh failed", metadata: ["kit": "\(name)", "error": "\(error)"])
    }
    metrics.refreshed(name, failed: payload.failure != nil)
    if payload.outcome != "notDue" { hub.send("refreshed", payload, isSticky: false) }
    return payload
  }

  /// Refreshes a dataset of a visitor, and tells everyone how it went.
  func refreshOwn(_ id: String) async -> RefreshPayload {
    let clock = ContinuousClock()
    let start = clock.now
    var payload = RefreshPayload(kit: "own", outcome: "failed", milliseconds: 0)
    do {
      let report = try await own.refresh(id, .now)
      payload = RefreshPayload(
        kit: "own", outcome: report.outcome.rawValue, rows: report.rows, added: report.added,
        updated: report.updated, removed: report.removed, milliseconds: 0)
    } catch {
      payload.failure = FailurePayload(error)
    }
    payload.milliseconds = ((clock.now - start) / .milliseconds(1) * 10).rounded() / 10
    metrics.refreshed("own", failed: payload.failure != nil)
    await tellOwn()
    hub.send("refreshed", payload, isSticky: false)
    return payload
  }

  /// Tells everyone which datasets of visitors there are.
  func tellOwn() async {
    var (sum, count) = (Checksum(), 0)
    var names: [[String]] = []
    for dataset in await own.all {
      names.append([dataset.entry.id, dataset.entry.title])
      sum.add(dataset.entry.id)
      guard let payload = try? await OwnPayload(dataset) else { continue }
      count += payload.count
      sum.add("\(payload.count)")
      guard case .table(let catalog, _) = dataset.content, let view = try? await catalog.view()
      else {
        continue
      }
      for row in view.all {
        sum.add(row.id)
        sum.add(row.name)
      }
    }
    hub.send("own", names)
    take(InventoryItem(kit: "own", count: count, checksum: sum.text))
  }

  private func payload(_ step: RefreshProgress) -> ProgressPayload {
    var payload = ProgressPayload(
      kit: step.kit, phase: step.phase.rawValue, fraction: step.fractionCompleted)
    switch step.outcome {
    case .failed(let error)?: payload.failure = FailurePayload(error)
    case .some: payload.outcome = "done"
    case nil: break
    }
    return payload
  }

  private func following<Element: Sendable>(
    _ kit: String, _ updates: FieldSequence<Element, any Error>,
    _ body: (Element) async throws -> InventoryItem
  ) async {
    do {
      for try await element in updates { take(try await body(element)) }
    } catch is CancellationError {
    } catch {
      logger.error("updates ended", metadata: ["kit": "\(kit)", "error": "\(error)"])
    }
  }

  // MARK: Inventory

  func take(_ item: InventoryItem) {
    let isNews = inventory.withLock { items -> Bool in
      guard items[item.kit] != item else { return false }
      items[item.kit] = item
      return true
    }
    if isNews { hub.send("inventory", currentInventory) }
  }

  /// A Boolean value that indicates whether the data of every kit has been read.
  var isReady: Bool { inventory.withLock { $0.count } == field.kits.count + 1 }

  var currentInventory: InventoryPayload {
    let walk = replay.inventory
    var items = inventory.withLock { Array($0.values) }
    if let walk { items.append(walk) }
    return InventoryPayload(
      process: ProcessInfo.processInfo.processIdentifier,
      items: items.sorted { $0.kit < $1.kit }, cuts: opening.cuts.count,
      openingMilliseconds: (openingTime / .milliseconds(1) * 10).rounded() / 10)
  }

  private func inventoryItem(_ view: MeteoriteView) -> InventoryItem {
    var sum = Checksum()
    for meteorite in view.all {
      sum.add(meteorite.id.rawValue)
      sum.add(meteorite.name)
    }
    return InventoryItem(kit: "meteorites", count: view.count, checksum: sum.text)
  }

  private func inventoryItem(_ listing: ZooListing) -> InventoryItem {
    var sum = Checksum()
    for entry in listing { sum.add("\(entry.sequence) \(entry.name)") }
    return InventoryItem(kit: "zoo", count: listing.count, checksum: sum.text)
  }

  private func inventoryItem(_ walks: [Walk]) -> InventoryItem {
    var sum = Checksum()
    for walk in walks { sum.add("\(walk.id) \(walk.distance)") }
    return InventoryItem(kit: "walks", count: walks.count, checksum: sum.text)
  }

  private func inventoryItem(_ view: CivicView) -> InventoryItem {
    var sum = Checksum()
    for unit in view.units { sum.add("\(unit.id) \(unit.name)") }
    return InventoryItem(kit: "city", count: view.units.count, checksum: sum.text)
  }
}
