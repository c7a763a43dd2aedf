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
  /// ```swift
  /// let report = try await kit.open()
  /// if !report.isClean { print("damaged:", report.cuts) }
  /// ```
  ///
  /// - Returns: A report with any damage that was cut off, and where it was saved.
  @discardableResult
  public func open() async throws -> OpeningReport { try await engine.open() }

  /// Refreshes the parts that are due and stores the changes.
  ///
  /// ```swift
  /// let report = try await kit.refresh(.now)
  /// print(report.added, report.updated, report.removed, report.notices)
  /// ```
  ///
  /// - Parameter when: Pass ``RefreshTrigger/now`` to fetch everything, even if it isn't due, and
  ///   ``RefreshTrigger/scheduled`` to fetch only what ``nextRefreshDate`` schedules.
  /// - Returns: A report of what changed.
  @discardableResult
  public func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await engine.refresh(when)
  }

  /// Returns the progress of all refreshes from now on, without starting one.
  ///
  /// ```swift
  /// for await step in kit.refreshProgress() { print(step.phase, step.fractionCompleted) }
  /// ```
  public func refreshProgress() -> RefreshProgressUpdates { engine.refreshProgress() }

  /// The date of the next refresh, for scheduling; `nil` if nothing is scheduled.
  ///
  /// ```swift
  /// if let next = try await kit.nextRefreshDate, next <= .now { try await kit.refresh() }
  /// ```
  public var nextRefreshDate: Date? { get async throws { try await engine.nextRefreshDate() } }

  /// The date when the source last confirmed the data; `nil` if it never did.
  ///
  /// ```swift
  /// if let date = try await kit.lastRefresh { print("as of", date) }
  /// ```
  public var lastRefresh: Date? { get async throws { try await engine.lastRefresh() } }

  /// Deletes everything that the kit keeps.
  ///
  /// ```swift
  /// try await kit.eraseAll()
  /// try await kit.refresh(.now)  // starts over
  /// ```
  public func eraseAll() async throws { try await engine.eraseAll() }

  /// Closes the kit: stops a refresh in flight, ends the progress, and closes the stores.
  ///
  /// ```swift
  /// try await kit.close()
  /// ```
  public func close() async throws { try await engine.close() }
}
