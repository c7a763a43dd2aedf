public import FieldFoundation

/// A kit that a ``KitEngine`` drives, which gives it all of ``Kit``.
public protocol EngineKit: Kit {
  /// The engine of the kit.
  var engine: KitEngine { get }
}

extension EngineKit {
  /// The name of the kit in progress, reports, and errors.
  public var name: String { engine.name }

  /// The sources of the data, and whom to name beside it.
  public var dataSources: [DataSource] { engine.dataSources }

  /// Opens the kit's stores, to fail early.
  ///
  /// - Returns: What was found: what had to be cut off, and where it was saved.
  @discardableResult
  public func open() async throws -> OpeningReport { try await engine.open() }

  /// Fetches what is due and stores what has changed.
  ///
  /// - Parameter when: Pass ``RefreshTrigger/now`` to fetch everything, even if it isn't due.
  /// - Returns: What was done.
  @discardableResult
  public func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await engine.refresh(when)
  }

  /// Returns the progress of all refreshes from now on. It doesn't start one.
  public func refreshProgress() -> RefreshProgressUpdates { engine.refreshProgress() }

  /// The date of the next refresh, to schedule it; `nil` if there is nothing to fetch.
  public var nextRefreshDate: Date? { get async throws { try await engine.nextRefreshDate() } }

  /// The date when the source last confirmed the data; `nil` if it never has.
  public var lastRefresh: Date? { get async throws { try await engine.lastRefresh() } }

  /// Deletes everything that the kit keeps.
  public func eraseAll() async throws { try await engine.eraseAll() }

  /// Closes the kit: cancels a refresh in flight, ends the progress, and closes the stores.
  public func close() async throws { try await engine.close() }
}
