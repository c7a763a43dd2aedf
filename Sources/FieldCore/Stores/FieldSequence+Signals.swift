extension FieldSequence where Failure == any Error {
  /// Creates the sequence of the newest values that are made from several stores.
  ///
  /// - Parameters:
  ///   - signals: Closures that each signal the changes of one store, the first time immediately.
  ///     When one returns, the sequence ends.
  ///   - isSame: A closure that returns whether a value doesn't differ from the last one, which is
  ///     then skipped.
  ///   - value: A closure that returns the newest value.
  package init(
    signals: [@Sendable (@Sendable () -> Void) async throws -> Void],
    skipping isSame: @escaping @Sendable (Element, Element) -> Bool,
    value: @escaping @Sendable () async throws -> Element
  ) {
    self.init(following: {
      let (changes, change) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let (values, listener) = AsyncThrowingStream.makeStream(
        of: Element.self, bufferingPolicy: .bufferingNewest(1))
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
              var last: Element?
              for await _ in changes {
                let next = try await value()
                if last.map({ !isSame($0, next) }) ?? true { listener.yield(next) }
                last = next
              }
            }
            // The first closure to return ends the others.
            try await group.next()
            group.cancelAll()
          }
          listener.finish()
        } catch {
          // The kit was closed while the value was being made, or before its stores were read.
          let isClosed = (error as? FieldError)?.code == .closed
          listener.finish(throwing: isClosed || error is CancellationError ? nil : error)
        }
      }
      listener.onTermination = { _ in task.cancel() }
      return values
    })
  }
}
