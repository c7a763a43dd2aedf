public import FieldCore
public import MeteorKit
public import MetroKit

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
  /// Taipei's metro: arrivals, stations and routes.
  public let metro: Metro
  /// NASA's meteorites.
  public let meteorites: MeteoriteCatalog

  /// Makes the kits.
  ///
  /// - Parameters:
  ///   - storage: Where the kits keep what they have, each under a name of its own.
  ///   - transport: What the kits send their requests with; each adds retries and shared requests.
  ///   - clock: Where the kits get the time from.
  public init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    metro = Metro(storage: storage, transport: transport, clock: clock)
    meteorites = MeteoriteCatalog(storage: storage, transport: transport, clock: clock)
  }

  /// Refreshes all kits at the same time, and tells the steps as they come.
  ///
  /// A kit that fails does not stop the others: its last step has the outcome
  /// ``/FieldCore/RefreshProgress/Outcome/failed(_:)``. The sequence ends when every kit has ended;
  /// who stops reading it earlier cancels the refreshes that nobody else waits for.
  public func refreshAll(_ when: RefreshTrigger = .ifDue) -> RefreshSteps {
    RefreshSteps.merging([
      RefreshSteps.Run(kit: "metro", steps: metro.refreshes()) { [metro] in
        try await metro.refresh(when)
      },
      RefreshSteps.Run(kit: "meteorites", steps: meteorites.refreshes()) { [meteorites] in
        try await meteorites.refresh(when)
      },
    ])
  }

  /// What the data of all kits is and whom to name beside it.
  public var dataSources: [DataSource] { [metro.dataSource, meteorites.dataSource] }

  /// Ends the use of all kits; one that cannot be closed does not keep the others open.
  ///
  /// - Throws: The first kit's error when several cannot be closed.
  public func close() async throws {
    var firstError: (any Error)?
    for close in [metro.close, meteorites.close] {
      do {
        try await close()
      } catch {
        firstError = firstError ?? error
      }
    }
    if let firstError { throw firstError }
  }
}
