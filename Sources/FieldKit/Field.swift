public import CivicKit
public import FieldCore
public import FieldFoundation
public import MeteorKit
public import MetroKit
public import WalkKit
public import ZooKit

/// All kits of the package over one storage, one transport and one clock.
///
/// ```swift
/// let field = Field(storage: .directory(folder), transport: URLSessionTransport())
/// try await field.meteorites.refresh()
/// let board = try await field.metro.board()
/// ```
///
/// Creating a `Field` does no I/O; each kit opens its stores on first use. A field works with its kits only
/// through ``/FieldCore/Kit``, so it takes yours as well:
///
/// ```swift
/// let field = Field(storage: storage, transport: transport, adding: [bikes])
/// ```
public struct Field: Sendable {
  /// Taipei's zoo, and what the user has seen in it.
  public let zoo: Zoo
  /// Taipei's metro: arrivals, stations and routes.
  public let metro: Metro
  /// NASA's meteorites.
  public let meteorites: MeteoriteCatalog
  /// The user's pets and their walks.
  public let walks: WalkDiary
  /// A city hall: its units, services, news and activities.
  public let civic: CivicDirectory
  /// All kits: the five above, and those that were added.
  public let kits: [any Kit]

  /// Makes the kits, each with its own defaults.
  ///
  /// - Parameters:
  ///   - storage: Where the kits keep what they have, each under names of its own.
  ///   - transport: What the kits send their requests with; each adds retries and shared requests.
  ///   - clock: Where the kits get the time from.
  ///   - civicService: The server of the city hall's tables. There is none that answers everybody, so
  ///     without one the tables are those that the app gives; news and activities are Tainan's.
  ///   - others: Your own kits, which take part in opening, refreshing, erasing, and closing.
  public init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system,
    civicService: CivicService? = nil, adding others: [any Kit] = []
  ) {
    self.init(
      zoo: Zoo(storage: storage, transport: transport, clock: clock),
      metro: Metro(storage: storage, transport: transport, clock: clock),
      meteorites: MeteoriteCatalog(storage: storage, transport: transport, clock: clock),
      walks: WalkDiary(storage: storage, transport: transport, clock: clock),
      civic: CivicDirectory(
        service: civicService, storage: storage, transport: transport, clock: clock),
      adding: others)
  }

  /// Creates a field from kits with your own sources, stores, or cities.
  public init(
    zoo: Zoo, metro: Metro, meteorites: MeteoriteCatalog, walks: WalkDiary, civic: CivicDirectory,
    adding others: [any Kit] = []
  ) {
    self.zoo = zoo
    self.metro = metro
    self.meteorites = meteorites
    self.walks = walks
    self.civic = civic
    kits = [zoo, metro, meteorites, walks, civic] + others
  }

  /// The sources of the data of all kits, and whom to name beside it.
  public var dataSources: [DataSource] {
    kits.flatMap(\.dataSources).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Opens all kits, to fail early.
  ///
  /// - Returns: What was found in all of them: what had to be cut off, and where it was saved.
  /// - Throws: `FieldError` if kits can't be opened; `problems` names them. The others are open.
  @discardableResult
  public func open() async throws -> OpeningReport {
    var report = OpeningReport(recordCount: 0)
    try await forEachKit("opened") { report.add(try await $0.open()) }
    return report
  }

  /// Refreshes all kits concurrently, and returns the progress.
  ///
  /// `refreshAll()` never throws. If a kit fails, it keeps its old data, its last step contains the error,
  /// and the other kits carry on. The sequence ends when every kit has finished. If you stop reading it
  /// earlier, the refreshes that nobody else waits for are canceled.
  ///
  /// A kit with nothing to fetch, such as walks on this device, is left out.
  public func refreshAll(_ when: RefreshTrigger = .ifDue) -> RefreshProgressUpdates {
    .refreshing(kits, when)
  }

  /// Returns the progress of all refreshes of all kits from now on. It doesn't start one.
  public func refreshProgress() -> RefreshProgressUpdates { .merging(kits) }

  /// The earliest date at which a kit is due; `nil` if none has anything to fetch.
  public var nextRefreshDate: Date? {
    get async throws {
      var next: Date?
      for kit in kits {
        guard let date = try await kit.nextRefreshDate else { continue }
        next = min(next ?? date, date)
      }
      return next
    }
  }

  /// Deletes everything that the kits keep.
  ///
  /// - Throws: `FieldError` if kits can't be erased; `problems` names them. The others are erased.
  public func eraseAll() async throws { try await forEachKit("erased") { try await $0.eraseAll() } }

  /// Closes all kits.
  ///
  /// - Throws: `FieldError` if kits can't be closed; `problems` names them. The others are closed.
  public func close() async throws { try await forEachKit("closed") { try await $0.close() } }

  /// Calls `body` with each kit, and then throws the first error.
  private func forEachKit(_ done: String, _ body: (any Kit) async throws -> Void) async throws {
    var failures: [(kit: String, error: any Error)] = []
    for kit in kits {
      do { try await body(kit) } catch { failures.append((kit.name, error)) }
    }
    guard let first = failures.first else { return }
    guard var error = first.error as? FieldError else { throw first.error }
    if failures.count > 1 {
      error.message = "\(failures.count) kits can't be \(done). The first: \(error.message)"
    }
    error.problems += failures.map { "\($0.kit): \($0.error)" }
    throw error
  }
}
