#if canImport(Observation)
  public import FieldCore
  public import FieldFoundation
  public import Observation

  /// The result of a query that follows a kit's data, for SwiftUI.
  ///
  /// ```swift
  /// struct TallestTrees: View {
  ///   @State private var trees: Live<[Tree]>
  ///
  ///   init(_ catalog: Catalog<Tree>) {
  ///     _trees = State(initialValue: Live(catalog) { $0.find(\.height, in: 30..., limit: 20) })
  ///   }
  ///
  ///   var body: some View {
  ///     List(trees.value ?? []) { Text($0.species ?? "unknown") }
  ///       .refreshable { await trees.refresh(.now) }
  ///       .overlay { if trees.isRefreshing { ProgressView() } }
  ///   }
  /// }
  /// ```
  ///
  /// The value is what the kit has stored, also while the device is offline. It changes only when the result does, so a
  /// change of other records redraws nothing. A refresh by any caller is shown, and a failed one leaves the value as it is.
  ///
  /// The kit is followed until the object is released.
  @MainActor @Observable
  public final class Live<Value: Equatable & Sendable> {
    /// The newest result of the query; `nil` until the kit has been opened, and for the metro until there is a board.
    public private(set) var value: Value?

    /// The date when the source last confirmed the data; `nil` if it never did, or until the kit has been opened.
    public private(set) var lastRefresh: Date?

    /// The newest step of the refresh in flight; `nil` if there is none.
    public private(set) var progress: RefreshProgress?

    /// The error of the last refresh, or why the data can't be read; `nil` if all is well.
    public private(set) var error: FieldError?

    @ObservationIgnored private var kit: any Kit
    @ObservationIgnored private var tasks: [Task<Void, Never>] = []

    /// Creates a value that follows a kit.
    ///
    /// It doesn't refresh the kit; call ``refresh(_:)`` when the view appears.
    ///
    /// - Parameters:
    ///   - kit: The kit to query.
    ///   - query: A closure that queries a view of the kit's data: a board for the metro, and the diary itself for
    ///     walks. It doesn't run on the main actor.
    public init<Source: LiveKit>(
      _ kit: Source, query: @escaping @Sendable (Source.View) async throws -> Value
    ) {
      self.kit = kit
      follow(kit, query: query)
    }

    /// Follows another query, and keeps the value until its result is known.
    ///
    /// ```swift
    /// .searchable(text: $text)
    /// .onChange(of: text) { [text] in found.follow(catalog) { $0.search(text) } }
    /// ```
    ///
    /// - Parameters:
    ///   - kit: The kit to query.
    ///   - query: A closure that queries a view of the kit's data. It doesn't run on the main actor.
    public func follow<Source: LiveKit>(
      _ kit: Source, query: @escaping @Sendable (Source.View) async throws -> Value
    ) {
      for task in tasks { task.cancel() }
      self.kit = kit
      progress = nil
      let (results, steps) = (kit.updates(of: query), kit.refreshProgress())
      tasks = [
        Task { [weak self] in
          do {
            for try await result in results {
              // Another query may be followed by now.
              if Task.isCancelled { return }
              self?.value = result
              await self?.readDate()
            }
          } catch {
            if !Task.isCancelled { self?.error = FieldError(reading: error) }
          }
        },
        Task { [weak self] in
          for await step in steps where !Task.isCancelled { await self?.show(step) }
        },
      ]
    }

    deinit { for task in tasks { task.cancel() } }

    /// A Boolean value that indicates whether a refresh is in flight.
    public var isRefreshing: Bool { progress != nil }

    /// Returns the time since the source last confirmed the data, or `nil` if it never did.
    ///
    /// In SwiftUI, pass the date of a `TimelineView` to show an age that grows.
    public func age(at date: Date = .now) -> Duration? {
      lastRefresh.map { .seconds(date.timeIntervalSince($0)) }
    }

    /// Refreshes the kit, and shows the error if that fails.
    ///
    /// - Parameter when: Pass `.now` to fetch everything, even if it isn't due.
    public func refresh(_ when: RefreshTrigger = .ifDue) async {
      do {
        try await kit.refresh(when)
        forgetError()
      } catch {
        self.error = FieldError(reading: error) ?? self.error
      }
      await readDate()
    }

    private func show(_ step: RefreshProgress) async {
      guard let outcome = step.outcome else { return progress = step }
      progress = nil
      switch outcome {
      case .finished: forgetError()
      case .failed(let failure): error = failure
      case .cancelled: break
      }
      await readDate()
    }

    /// Removes the error without a notification if there is none.
    private func forgetError() { if error != nil { error = nil } }

    private func readDate() async {
      do {
        let date = try await kit.lastRefresh
        if date != lastRefresh { lastRefresh = date }
      } catch {
        self.error = FieldError(reading: error) ?? self.error
      }
    }
  }

  extension FieldError {
    /// Creates the error of a failed call, unless it was canceled.
    fileprivate init?(reading error: any Error) {
      if error is CancellationError { return nil }
      let wrapped = FieldError.wrapping(error, as: .io, "The query failed.")
      guard let failure = wrapped as? FieldError else { return nil }
      self = failure
    }
  }
#endif
