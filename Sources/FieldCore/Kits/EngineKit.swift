public import FieldFoundation

/// A kit driven by a ``KitEngine``, which provides all of ``Kit``.
public protocol EngineKit: Kit {
  /// The engine of the kit.
  var engine: KitEngine { get }
}

extension EngineKit {
  /// The name of the kit in progress, reports, and errors.
  public var name: String { engine.name }

  /// The sources of the data, with their attributions.
  public var dataSources: [DataSource] { engine.dataSources }

  /// Opens the kit's stores, so that errors surface early.
  ///
  /// - Returns: A report with any damage that was cut off, and where it was saved.
  @discardableResult
  public func open() async throws -> OpeningReport { try await engine.open() }

  /// Refreshes the parts that are due and stores the changes.
  ///
  /// - Parameter when: Pass ``RefreshTrigger/now`` to fetch everything, even if it isn't due.
  /// - Returns: A report of what changed.
  @discardableResult
  public func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await engine.refresh(when)
  }

  /// Returns the progress of all refreshes from now on, without starting one.
  public func refreshProgress() -> RefreshProgressUpdates { engine.refreshProgress() }

  /// The date of the next refresh, for scheduling; `nil` if there is nothing to fetch.
  public var nextRefreshDate: Date? { get async throws { try await engine.nextRefreshDate() } }

  /// The date when the source last confirmed the data; `nil` if it never did.
  public var lastRefresh: Date? { get async throws { try await engine.lastRefresh() } }

  /// Deletes everything that the kit keeps.
  public func eraseAll() async throws { try await engine.eraseAll() }

  /// Closes the kit: cancels a refresh in flight, ends the progress, and closes the stores.
  public func close() async throws { try await engine.close() }
}
