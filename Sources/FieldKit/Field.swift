public import FieldCore
public import MeteorKit

/// All kits of the package over one storage, one transport and one clock.
///
/// ```swift
/// let field = Field(storage: .directory(folder), transport: URLSessionTransport())
/// try await field.meteorites.refresh()
/// ```
///
/// It is made without waiting; each kit opens at its first use.
public struct Field: Sendable {
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
    meteorites = MeteoriteCatalog(storage: storage, transport: transport, clock: clock)
  }

  /// Refreshes all kits at the same time, and tells the steps as they come.
  ///
  /// A kit that fails does not stop the others: its last step has the outcome
  /// ``/FieldCore/RefreshProgress/Outcome/failed(_:)``. The sequence ends when every kit has ended;
  /// who stops reading it earlier cancels the refreshes that nobody else waits for.
  public func refreshAll(_ when: RefreshTrigger = .ifDue) -> RefreshSteps {
    RefreshSteps.merging([
      RefreshSteps.Run(kit: "meteorites", steps: meteorites.refreshes()) { [meteorites] in
        try await meteorites.refresh(when)
      }
    ])
  }

  /// What the data of all kits is and whom to name beside it.
  public var dataSources: [DataSource] { [meteorites.dataSource] }

  /// Ends the use of all kits.
  public func close() async throws {
    try await meteorites.close()
  }
}
