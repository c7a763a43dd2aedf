/// An asynchronous sequence of values, such as the content of a store after each change, or the
/// pages of a query.
///
/// Each iteration begins again at its first step, and ends when its task is canceled.
public struct FieldSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// Returns the next element, on the caller's actor, or `nil` at the end.
  package typealias Step = (isolated (any Actor)?) async throws(Failure) -> Element?

  private let start: @Sendable () -> Step

  /// Creates a sequence.
  ///
  /// - Parameter start: A closure that starts an iteration, whose state belongs to the step that it
  ///   returns.
  package init(unfolding start: @escaping @Sendable () -> Step) { self.start = start }

  /// Creates an iterator, which begins with its first step.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: start()) }

  /// An iterator that waits for one element after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let step: Step

    /// Returns the next element, or `nil` at the end.
    public mutating func next() async throws(Failure) -> Element? { try await step(#isolation) }

    /// Returns the next element, on the caller's actor, or `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await step(actor)
    }
  }
}

extension FieldSequence where Failure == Never {
  /// Creates a sequence of a stream's elements, which only one iteration receives.
  package init(_ stream: AsyncStream<Element>) {
    self.init {
      var base = stream.makeAsyncIterator()
      return { actor in await base.next(isolation: actor) }
    }
  }
}

extension FieldSequence where Failure == any Error {
  /// Creates a sequence for a custom store or backend.
  ///
  /// - Parameter start: A closure that is called at the first step of each iteration. The stream
  ///   that it returns must yield the current content first, and buffer only the newest element.
  public init(_ start: @escaping @Sendable () async throws -> AsyncStream<Element>) {
    self.init(following: start)
  }

  /// Creates a sequence of the elements of the sequence that `start` returns.
  ///
  /// The closure is called at the first step of each iteration.
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
  /// Returns the results of calling a closure with a state of the iteration and each element,
  /// without `nil`.
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

  /// Returns the parts of each element, such as the rows of pages, one by one.
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
