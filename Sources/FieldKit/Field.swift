public import CivicKit
public import FieldCore
public import FieldFoundation
public import MeteorKit
public import MetroKit
public import WalkKit
public import ZooKit

/// All kits in one value, sharing one storage, one transport, and one clock.
///
/// ```swift
/// let field = Field(storage: .directory(folder), transport: URLSessionTransport())
/// try await field.meteorites.refresh()
/// let board = try await field.metro.board()
/// ```
///
/// Creating a `Field` does no I/O. Each kit is created when you first use it, and opens its stores
/// then, so a program that uses one kit doesn't pay for the others. A field uses its kits only
/// through ``/FieldCore/Kit``, so you can add your own:
///
/// ```swift
/// let field = Field(storage: storage, transport: transport, adding: [bikes])
/// ```
public struct Field: Sendable {
  /// Taipei's zoo, and the user's own sightings there.
  public var zoo: Zoo { makers.zoo.value }
  /// Taipei's metro: arrivals, stations, and routes.
  public var metro: Metro { makers.metro.value }
  /// NASA's meteorites.
  public var meteorites: MeteoriteCatalog { makers.meteorites.value }
  /// The user's pets and their walks.
  public var walks: WalkDiary { makers.walks.value }
  /// A city hall: its units, services, news, and activities.
  public var civic: CivicDirectory { makers.civic.value }
  /// All kits: the five above, followed by the ones you added.
  ///
  /// ```swift
  /// for kit in field.kits { print(kit.name, try await kit.lastRefresh as Any) }
  /// ```
  public var kits: [any Kit] { all.value }

  /// The kits of a field, each of which is created when it is first used.
  private struct Makers: Sendable {
    let zoo: Once<Zoo>
    let metro: Once<Metro>
    let meteorites: Once<MeteoriteCatalog>
    let walks: Once<WalkDiary>
    let civic: Once<CivicDirectory>
  }

  private let makers: Makers
  private let all: Once<[any Kit]>

  /// Creates a field of kits with default settings, except for the kits that you pass.
  ///
  /// ```swift
  /// let field = Field(storage: .directory(folder), transport: URLSessionTransport())
  /// for await step in field.refreshAll() { show(step.kit, step.outcome as Any) }
  /// ```
  ///
  /// To choose the settings of a kit, create it with the same storage and transport:
  ///
  /// ```swift
  /// let field = Field(
  ///   storage: storage, transport: transport,
  ///   zoo: Zoo(storage: storage, transport: transport, policy: .every(.seconds(3600))))
  /// ```
  ///
  /// - Parameters:
  ///   - storage: The storage for the kits' data. Each kit uses its own names.
  ///   - transport: The transport that the kits send requests with. Each adds shared requests, and
  ///     retries unless the transport already retries.
  ///   - clock: The clock of all kits. Defaults to `.system`.
  ///   - civicService: The server of the city hall's tables. Defaults to `nil` because no public
  ///     server exists; you then supply the tables. News and activities are Tainan's. If you pass
  ///     `civic`, it is ignored.
  ///   - zoo: The zoo to use instead of one with default settings.
  ///   - metro: The metro to use instead of one with default settings.
  ///   - meteorites: The meteorites to use instead of a catalog with default settings.
  ///   - walks: The diary to use instead of one with default settings.
  ///   - civic: The city hall to use instead of one with default settings.
  ///   - others: Your own kits, which are opened, refreshed, erased, and closed with the rest. Each
  ///     needs a name of its own: if a kit or a store of the field has it already, in whatever case,
  ///     the added kit isn't used, and ``open()``, its step of ``refreshAll(_:of:)``, and
  ///     ``eraseAll()`` fail with `FieldError.Code.invalidInput`.
  public init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system,
    civicService: CivicService? = nil, zoo: Zoo? = nil, metro: Metro? = nil,
    meteorites: MeteoriteCatalog? = nil, walks: WalkDiary? = nil, civic: CivicDirectory? = nil,
    adding others: [any Kit] = []
  ) {
    self.init(
      Makers(
        zoo: Once { zoo ?? Zoo(storage: storage, transport: transport, clock: clock) },
        metro: Once { metro ?? Metro(storage: storage, transport: transport, clock: clock) },
        meteorites: Once {
          meteorites ?? MeteoriteCatalog(storage: storage, transport: transport, clock: clock)
        },
        walks: Once { walks ?? WalkDiary(storage: storage, transport: transport, clock: clock) },
        civic: Once {
          civic
            ?? CivicDirectory(
              service: civicService, storage: storage, transport: transport, clock: clock)
        }),
      adding: others)
  }

  /// Creates a field from kits with your own sources, stores, or cities.
  public init(
    zoo: Zoo, metro: Metro, meteorites: MeteoriteCatalog, walks: WalkDiary, civic: CivicDirectory,
    adding others: [any Kit] = []
  ) {
    self.init(
      Makers(
        zoo: Once(made: zoo), metro: Once(made: metro), meteorites: Once(made: meteorites),
        walks: Once(made: walks), civic: Once(made: civic)),
      adding: others)
  }

  private init(_ makers: Makers, adding others: [any Kit]) {
    self.makers = makers
    all = Once {
      let city = makers.civic.value
      let kits: [any Kit] = [
        makers.zoo.value, makers.metro.value, makers.meteorites.value, makers.walks.value, city,
      ]
      return others.isEmpty
        ? kits : kits + RefusedKit.replacingClashes(in: others, beside: kits, city: city.name)
    }
  }

  /// The data sources of all kits, with their attributions.
  ///
  /// ```swift
  /// for source in field.dataSources { print(source.attribution, source.license) }
  /// ```
  public var dataSources: [DataSource] { kits.flatMap(\.dataSources).uniqued() }

  /// Opens all kits, so that errors surface early.
  ///
  /// ```swift
  /// let report = try await field.open()
  /// for cut in report.cuts { print(cut.file.path, cut.reason, cut.savedAs as Any) }
  /// ```
  ///
  /// - Returns: The combined report of all kits: what was cut off, and where it was saved.
  /// - Throws: The first kit's error. If it is a `FieldError`, its `problems` name every kit that
  ///   can't be opened. The other kits are open.
  @discardableResult
  public func open() async throws -> OpeningReport {
    var report = OpeningReport(recordCount: 0)
    try await forEachKit("opened") { report.add(try await $0.open()) }
    return report
  }

  /// Refreshes kits concurrently, and returns the progress.
  ///
  /// `refreshAll()` never throws. If a kit fails, it keeps its old data, its last step contains the
  /// error, and the other kits carry on. The sequence ends when every kit has finished. If you stop
  /// iterating earlier, refreshes that no other caller is waiting for are canceled.
  ///
  /// Kits with nothing to fetch, such as the walks on this device, are skipped, unless opening one
  /// found damage: its only step then contains the report.
  ///
  /// ```swift
  /// for await step in field.refreshAll() {
  ///   print(step.kit, step.fractionCompleted, step.totalFraction as Any, step.outcome as Any)
  /// }
  /// ```
  ///
  /// In a background task, where nobody looks at arrivals, refresh what is due by its schedule:
  ///
  /// ```swift
  /// for await step in field.refreshAll(.scheduled) { print(step) }
  /// for await step in field.refreshAll(of: [field.zoo, field.meteorites]) { print(step) }
  /// ```
  ///
  /// - Parameters:
  ///   - when: The condition. By default, arrivals and feeds are always fetched, and the other data
  ///     if it is due.
  ///   - kits: The kits to refresh. Defaults to all ``kits``.
  public func refreshAll(
    _ when: RefreshTrigger = .ifDue, of kits: [any Kit]? = nil
  ) -> RefreshProgressUpdates {
    .refreshing(kits ?? self.kits, when)
  }

  /// Returns the progress of all refreshes of all kits from now on, without starting one.
  ///
  /// For a single progress bar, show the `totalFraction` of the steps.
  ///
  /// ```swift
  /// for await step in field.refreshProgress() where step.outcome != nil { print(step) }
  /// ```
  public func refreshProgress() -> RefreshProgressUpdates { .merging(kits) }

  /// The earliest date at which a kit is due by its schedule; `nil` if nothing is scheduled.
  ///
  /// Arrivals and feeds, which are fetched on every visit, schedule nothing. A date that isn't in the
  /// future means that a kit is due; `refreshAll(.scheduled)` then refreshes it.
  ///
  /// ```swift
  /// if let next = try await field.nextRefreshDate { print("The next refresh is due at", next) }
  /// ```
  ///
  /// - Throws: The first kit's error if kits can't be opened and no other has a date.
  public var nextRefreshDate: Date? {
    get async throws {
      var next: Date?
      var failure: (any Error)?
      for kit in kits {
        do {
          guard let date = try await kit.nextRefreshDate else { continue }
          next = min(next ?? date, date)
        } catch {
          // One kit must not keep the others from being scheduled.
          failure = failure ?? error
        }
      }
      if next == nil, let failure { throw failure }
      return next
    }
  }

  /// Deletes everything that the kits store.
  ///
  /// ```swift
  /// try await field.eraseAll()  // when the user asks you to delete all data
  /// ```
  ///
  /// - Throws: The first kit's error. If it is a `FieldError`, its `problems` name every kit that
  ///   can't be erased. The other kits are erased.
  public func eraseAll() async throws { try await forEachKit("erased") { try await $0.eraseAll() } }

  /// Closes all kits.
  ///
  /// ```swift
  /// try await field.close()  // at the end of a program; later calls throw store.closed
  /// ```
  ///
  /// - Throws: The first kit's error. If it is a `FieldError`, its `problems` name every kit that
  ///   can't be closed. The other kits are closed.
  public func close() async throws { try await forEachKit("closed") { try await $0.close() } }

  /// Calls `body` with each kit, and then throws the first error, if any.
  private func forEachKit(_ done: String, _ body: (any Kit) async throws -> Void) async throws {
    var failures: [(kit: String, error: any Error)] = []
    for kit in kits {
      do { try await body(kit) } catch { failures.append((kit.name, error)) }
    }
    guard let first = failures.first else { return }
    guard var error = first.error as? FieldError else { throw first.error }
    // A reason that kits share, such as a missing home directory, is stated once.
    var reasons: [(text: String, kits: [String])] = []
    for failure in failures {
      var shared = failure.error
      if var error = shared as? FieldError {
        error.operation = nil
        shared = error
      }
      let text = "\(shared)"
      if let index = reasons.firstIndex(where: { $0.text == text }) {
        reasons[index].kits.append(failure.kit)
      } else {
        reasons.append((text, [failure.kit]))
      }
    }
    if reasons.count > 1 {
      error.message = "\(failures.count) kits can't be \(done). The first: \(error.message)"
    } else if failures.count > 1 {
      error.message = "\(failures.count) kits can't be \(done). \(error.message)"
    }
    error.problems += reasons.map { reason in
      let names = reason.kits.joined(separator: ", ")
      // The message contains the only reason already.
      return reasons.count > 1 || failures.count == 1 ? "\(names): \(reason.text)" : names
    }
    throw error
  }
}
