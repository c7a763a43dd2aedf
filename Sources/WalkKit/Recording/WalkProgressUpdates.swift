public import FieldCore

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
public typealias WalkProgressUpdates = FieldSequence<WalkProgress, Never>

extension WalkProgressUpdates {
  init(_ recorder: WalkRecorder) {
    self.init { [weak recorder] in
      var ticks = recorder?.listen().makeAsyncIterator()
      return { [weak recorder] actor in
        guard !Task.isCancelled, let _: Void = await ticks?.next(isolation: actor),
          let progress = recorder?.current
        else {
          ticks = nil
          return nil
        }
        if progress.state.isFinal { ticks = nil }
        return progress
      }
    }
  }
}
