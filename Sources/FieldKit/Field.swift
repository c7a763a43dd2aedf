public import CivicKit
public import FieldCore
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
/// It is made without waiting; each kit opens at its first use.
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

  /// Makes the kits, each with its own defaults.
  ///
  /// - Parameters:
  ///   - storage: Where the kits keep what they have, each under names of its own.
  ///   - transport: What the kits send their requests with; each adds retries and shared requests.
  ///   - clock: Where the kits get the time from.
  ///   - civicService: The server of the city hall's tables. There is none that answers everybody, so
  ///     without one the tables are those that the app gives; news and activities are Tainan's.
  public init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system,
    civicService: CivicService? = nil
  ) {
    self.init(
      zoo: Zoo(storage: storage, transport: transport, clock: clock),
      metro: Metro(storage: storage, transport: transport, clock: clock),
      meteorites: MeteoriteCatalog(storage: storage, transport: transport, clock: clock),
      walks: WalkDiary(storage: storage, transport: transport, clock: clock),
      civic: CivicDirectory(
        service: civicService, storage: storage, transport: transport, clock: clock))
  }

  /// Holds kits that are made elsewhere, of other sources, stores or cities.
  public init(
    zoo: Zoo, metro: Metro, meteorites: MeteoriteCatalog, walks: WalkDiary, civic: CivicDirectory
  ) {
    self.zoo = zoo
    self.metro = metro
    self.meteorites = meteorites
    self.walks = walks
    self.civic = civic
  }

  /// Refreshes all kits at the same time, and tells the steps as they come.
  ///
  /// A kit that fails does not stop the others: its last step has the outcome
  /// ``/FieldCore/RefreshProgress/Outcome/failed(_:)``. The sequence ends when every kit has ended;
  /// who stops reading it earlier cancels the refreshes that nobody else waits for.
  ///
  /// Walks are left out as long as they are on this device alone, since there is nothing to fetch.
  public func refreshAll(_ when: RefreshTrigger = .ifDue) -> RefreshSteps {
    var runs = [
      RefreshSteps.Run(kit: "zoo", steps: zoo.refreshes()) { [zoo] in
        try await zoo.refresh(when)
      },
      RefreshSteps.Run(kit: "metro", steps: metro.refreshes()) { [metro] in
        try await metro.refresh(when)
      },
      RefreshSteps.Run(kit: "meteorites", steps: meteorites.refreshes()) { [meteorites] in
        try await meteorites.refresh(when)
      },
      RefreshSteps.Run(kit: "civic", steps: civic.refreshes()) { [civic] in
        try await civic.refresh(when)
      },
    ]
    if !walks.dataSources.isEmpty {
      runs.append(
        RefreshSteps.Run(kit: "walks", steps: walks.refreshes()) { [walks] in
          try await walks.refresh(when)
        })
    }
    return RefreshSteps.merging(runs)
  }

  /// What the data of all kits is and whom to name beside it.
  public var dataSources: [DataSource] {
    [zoo.dataSource, metro.dataSource, meteorites.dataSource] + walks.dataSources
      + civic.dataSources
  }

  /// Ends the use of all kits; one that cannot be closed does not keep the others open.
  ///
  /// - Throws: The first kit's error when several cannot be closed.
  public func close() async throws {
    var firstError: (any Error)?
    for close in [zoo.close, metro.close, meteorites.close, walks.close, civic.close] {
      do {
        try await close()
      } catch {
        firstError = firstError ?? error
      }
    }
    if let firstError { throw firstError }
  }
}
