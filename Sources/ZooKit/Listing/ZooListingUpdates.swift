public import FieldCore

/// A sequence that yields the current list first, then the newest after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. The sequence ends when its
/// task is canceled or the zoo is closed, at any moment. It throws `FieldError` if a store can't be
/// opened.
public typealias ZooListingUpdates = FieldSequence<ZooListing, any Error>

extension ZooListingUpdates {
  /// Creates the sequence of the newest lists, from closures that each signal changes of one store,
  /// the first time immediately. When one returns, the sequence ends.
  init(
    signals: [@Sendable (@Sendable () -> Void) async throws -> Void],
    listing: @escaping @Sendable () async throws -> ZooListing
  ) {
    self.init(following: {
      let (changes, change) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let (lists, list) = AsyncThrowingStream.makeStream(
        of: ZooListing.self, bufferingPolicy: .bufferingNewest(1))
      // The stream owns the task, which is canceled with the last consumer and ends with the
      // stores.
      let task = Task {
        do {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for signal in signals {
              group.addTask {
                try await signal { change.yield() }
                change.finish()
              }
            }
            group.addTask {
              var last: ZooListing?
              for await _ in changes {
                let next = try await listing()
                if next != last { list.yield(next) }
                last = next
              }
            }
            // The first closure to return ends the others.
            try await group.next()
            group.cancelAll()
          }
          list.finish()
        } catch {
          // The zoo was closed while the list was being built, or before its stores were read.
          let isClosed = (error as? FieldError)?.code == .closed
          list.finish(throwing: isClosed || error is CancellationError ? nil : error)
        }
      }
      list.onTermination = { _ in task.cancel() }
      return lists
    })
  }
}
