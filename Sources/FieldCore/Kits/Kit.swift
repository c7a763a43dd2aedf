public import FieldFoundation

/// A type that keeps data on the device and refreshes it from its sources.
///
/// The kits of this package conform, and so does ``Catalog``. They all open, refresh, erase, and
/// close in the same way, and `Field` works with any of them.
///
/// ```swift
/// for kit in field.kits {
///   try await kit.refresh()
///   print(kit.name, try await kit.lastRefresh as Any)
/// }
/// ```
///
/// ### How to implement it
///
/// A ``Catalog`` is already a kit. If your kit needs more, keep a catalog and forward to it, or
/// implement the requirements yourself. `KitConformance` in `FieldTesting` tests these rules:
///
/// - Creating a kit does no I/O; it opens on first use, once for all callers. Its data, its age, and the date of its next
///   refresh are then there, also without a network.
/// - Concurrent calls to ``refresh(_:)`` share one run. A call with ``RefreshTrigger/now`` never
///   joins a run that started only if due, and neither of them joins one that refreshes only what
///   is scheduled. Canceling one caller doesn't affect the others.
/// - A failed refresh leaves the data and its age unchanged. So does a response that can't be the data, such as an HTML
///   page. A refresh that finds the same data renews its age. An error of the transport keeps its code, or is the
///   underlying error.
/// - A refresh with ``RefreshTrigger/scheduled`` sends requests from ``nextRefreshDate`` on, and none before. A failure
///   postpones the date.
/// - Erased data never reappears: a refresh in flight stores nothing after ``eraseAll()`` of this kit or of another one
///   with its storage, and throws ``FieldError/Code/conflict``.
/// - A refresh in flight stores nothing after ``close()``, and throws ``FieldError/Code/closed``.
/// - A followed result comes at once, and again when it differs.
/// - Any damage that opening cut off is reported once without a request: by ``open()``, or by the
///   next report as ``RefreshReport/Notice/Code/damaged``. Until then, views contain it.
public protocol Kit: Sendable {
  /// The name of the kit in progress, reports, and errors, such as `meteorites`.
  var name: String { get }

  /// The sources of the data, with their attributions.
  var dataSources: [DataSource] { get }

  /// Opens the kit's stores, so that errors surface early.
  ///
  /// Every other method opens them if necessary.
  ///
  /// ```swift
  /// let report = try await kit.open()
  /// if !report.isClean { print("damaged:", report.cuts) }
  /// ```
  ///
  /// - Returns: A report with any damage that was cut off, and where it was saved.
  /// - Throws: ``FieldError`` if a store can't be opened. ``eraseAll()`` works even then.
  @discardableResult
  func open() async throws -> OpeningReport

  /// Refreshes the parts that are due and stores the changes.
  ///
  /// Concurrent calls share one run.
  ///
  /// ```swift
  /// let report = try await kit.refresh(.now)
  /// print(report.added, report.updated, report.removed, report.notices)
  /// ```
  ///
  /// - Parameter when: Pass ``RefreshTrigger/now`` to fetch everything, even if it isn't due, and
  ///   ``RefreshTrigger/scheduled`` to fetch only what ``nextRefreshDate`` schedules.
  /// - Returns: A report of what changed.
  /// - Throws: ``FieldError`` if a source can't be read or its data can't be stored. The stored
  ///   data stays readable, and its age stays known. `CancellationError` if the task is canceled.
  @discardableResult
  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport

  /// Returns the progress of all refreshes from now on, without starting one.
  ///
  /// The last step of each refresh has an outcome. The sequence ends when the kit is closed.
  ///
  /// ```swift
  /// for await step in kit.refreshProgress() { print(step.phase, step.fractionCompleted) }
  /// ```
  func refreshProgress() -> RefreshProgressUpdates

  /// The date of the next refresh, for scheduling; `nil` if nothing is scheduled.
  ///
  /// It is the earliest date at which a part with a schedule is due. Parts that are fetched on every
  /// visit, such as arrivals and feeds, schedule nothing, not even after a failure, and a kit without
  /// other parts has no date. A date that isn't in the future means that a refresh is due. Failures
  /// postpone the date.
  ///
  /// ```swift
  /// if let next = try await kit.nextRefreshDate, next <= .now { try await kit.refresh() }
  /// ```
  var nextRefreshDate: Date? { get async throws }

  /// The date when the source last confirmed the data; `nil` if it never did.
  ///
  /// ```swift
  /// if let date = try await kit.lastRefresh { print("as of", date) }
  /// ```
  var lastRefresh: Date? { get async throws }

  /// Deletes everything that the kit keeps.
  ///
  /// A refresh in flight stores nothing more. If a store's file can't be opened, it is set aside,
  /// and the store starts with an empty one.
  ///
  /// ```swift
  /// try await kit.eraseAll()
  /// try await kit.refresh(.now)  // starts over
  /// ```
  func eraseAll() async throws

  /// Closes the kit: stops a refresh in flight, ends the progress, and closes the stores.
  ///
  /// The callers of the refresh get ``FieldError/Code/closed``, because nobody canceled their tasks.
  ///
  /// ```swift
  /// try await kit.close()
  /// ```
  func close() async throws
}

extension Kit {
  /// Refreshes the parts that are due and stores the changes.
  ///
  /// - Returns: A report of what changed.
  @discardableResult
  public func refresh() async throws -> RefreshReport { try await refresh(.ifDue) }
}
