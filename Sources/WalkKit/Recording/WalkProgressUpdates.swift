/// A walk as it is now, and again after each accepted fix and whatever else changes it.
///
/// ```swift
/// for await progress in walk.progress {
///   show(progress.figures.distance, progress.duration)
/// }
/// ```
///
/// A reader that is slower than the walk is given the newest and skips what was between; the last one
/// it gets is of the walk as saved or discarded. The sequence ends after that, when its task is
/// cancelled, and when nobody holds the recorder any more: the sequence does not.
public struct WalkProgressUpdates: AsyncSequence, Sendable {
  /// A walk at one moment.
  public typealias Element = WalkProgress
  /// The sequence throws nothing.
  public typealias Failure = Never

  private weak let recorder: WalkRecorder?

  init(_ recorder: WalkRecorder) { self.recorder = recorder }

  /// Makes an iterator, which gives the present first.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(recorder: recorder, ticks: recorder?.listen().makeAsyncIterator())
  }

  /// Waits for the next change.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private weak let recorder: WalkRecorder?
    private var ticks: AsyncStream<Void>.AsyncIterator?

    fileprivate init(recorder: WalkRecorder?, ticks: AsyncStream<Void>.AsyncIterator?) {
      self.recorder = recorder
      self.ticks = ticks
    }

    /// The walk after the next change, or nil when there will be none.
    public mutating func next() async -> WalkProgress? { await next(isolation: #isolation) }

    /// The walk after the next change, or nil when there will be none.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> WalkProgress? {
      guard var ticks, !Task.isCancelled else {
        self.ticks = nil
        return nil
      }
      let tick: Void? = await ticks.next(isolation: actor)
      guard tick != nil, let progress = recorder?.current else {
        self.ticks = nil
        return nil
      }
      self.ticks = progress.state.isFinal ? nil : ticks
      return progress
    }
  }
}
