/// Values that arrive over time, such as the content of a store after each change or the pages of a query.
///
/// Each iteration starts anew, at its first step, and ends when its task is cancelled.
public struct FieldSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// Returns the next element, on the actor of the caller; `nil` if there is none.
  package typealias Step = (isolated (any Actor)?) async throws(Failure) -> Element?

  private let start: @Sendable () -> Step

  /// Creates a sequence.
  ///
  /// - Parameter start: Starts an iteration, whose state belongs to the step that it returns.
  package init(unfolding start: @escaping @Sendable () -> Step) { self.start = start }

  /// Creates an iterator, which begins with its first step.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: start()) }

  /// Waits for one element after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let step: Step

    /// Returns the next element; `nil` if there is none.
    public mutating func next() async throws(Failure) -> Element? { try await step(#isolation) }

    /// Returns the next element, on the actor of the caller; `nil` if there is none.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await step(actor)
    }
  }
}

extension FieldSequence where Failure == Never {
  /// Creates the elements of a stream, which only one iteration gets.
  package init(_ stream: AsyncStream<Element>) {
    self.init {
      var base = stream.makeAsyncIterator()
      return { actor in await base.next(isolation: actor) }
    }
  }
}

extension FieldSequence where Failure == any Error {
  /// Creates the sequence of a store or a backend of your own.
  ///
  /// - Parameter start: Called at the first step of each iteration. The stream that it returns gives
  ///   the present content first, and buffers the newest one only.
  public init(_ start: @escaping @Sendable () async throws -> AsyncStream<Element>) {
    self.init(following: start)
  }

  /// Creates the elements of the sequence that `start` returns, which is called at the first step of each
  /// iteration.
  package init<Base: AsyncSequence & Sendable>(
    following start: @escaping @Sendable () async throws -> Base
  ) where Base.Element == Element {
    self.init {
      var base: Base.AsyncIterator?
      var isOver = false
      return { actor in
        guard !isOver else { return nil }
        do {
          var iterator: Base.AsyncIterator
          if let base { iterator = base } else { iterator = try await start().makeAsyncIterator() }
          let element = Task.isCancelled ? nil : try await iterator.next(isolation: actor)
          isOver = element == nil
          base = isOver ? nil : iterator
          return element
        } catch {
          (isOver, base) = (true, nil)
          if error is CancellationError { return nil }
          throw error
        }
      }
    }
  }
}

extension FieldSequence {
  /// Returns what `transform` makes of each element and of a state of the iteration, without `nil`.
  package func scan<State, Output: Sendable>(
    _ initial: State,
    _ transform: @escaping @Sendable (inout State, Element) async throws(Failure) -> Output?
  ) -> FieldSequence<Output, Failure> where State: Sendable {
    FieldSequence<Output, Failure> {
      var base = makeAsyncIterator()
      var state = initial
      return { (actor: isolated (any Actor)?) async throws(Failure) -> Output? in
        while let element = try await base.next(isolation: actor) {
          if let output = try await transform(&state, element) { return output }
        }
        return nil
      }
    }
  }

  /// Returns the parts of the elements, such as the rows of pages, one by one.
  package func flattened<Part: Sendable>(
    _ parts: @escaping @Sendable (Element) -> [Part]
  ) -> FieldSequence<Part, Failure> {
    FieldSequence<Part, Failure> {
      var base = makeAsyncIterator()
      var rest: ArraySlice<Part> = []
      return { (actor: isolated (any Actor)?) async throws(Failure) -> Part? in
        while rest.isEmpty {
          guard let element = try await base.next(isolation: actor) else { return nil }
          rest = parts(element)[...]
        }
        return rest.popFirst()
      }
    }
  }
}
