public import FieldCore

/// The list as it is now, and then the newest after each change of the sightings or of the animals.
///
/// A slow reader misses states in between, never the newest one. The sequence ends when its task is
/// cancelled and when the zoo is closed, at whatever moment; it throws `FieldError` if a store can't be
/// opened.
public typealias ZooListingUpdates = FieldSequence<ZooListing, any Error>

extension ZooListingUpdates {
  /// Creates the sequence.
  ///
  /// - Parameters:
  ///   - signals: Each tells of changes of one store, the first time at once; when one ends, so does
  ///     the sequence.
  ///   - listing: Makes the newest list.
  init(
    signals: [@Sendable (@Sendable () -> Void) async throws -> Void],
    listing: @escaping @Sendable () async throws -> ZooListing
  ) {
    self.init(following: {
      let (changes, change) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let (lists, list) = AsyncThrowingStream.makeStream(
        of: ZooListing.self, bufferingPolicy: .bufferingNewest(1))
      // The stream owns the task: it is cancelled with the last reader, and ends with the stores.
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
            // Whichever ends first ends them all.
            try await group.next()
            group.cancelAll()
          }
          list.finish()
        } catch let error as FieldError where error.code == .closed {
          // The zoo was closed in the middle of making a list, or before its stores were looked at.
          list.finish()
        } catch {
          list.finish(throwing: error is CancellationError ? nil : error)
        }
      }
      list.onTermination = { _ in task.cancel() }
      return lists
    })
  }
}
