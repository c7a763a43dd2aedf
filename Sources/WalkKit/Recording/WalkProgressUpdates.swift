public import FieldCore

/// The current state of a walk, and its state after each change and at each full second of its time.
///
/// ```swift
/// for await progress in walk.progress {
///   show(progress.figures.distance, progress.duration)
/// }
/// ```
///
/// Slow consumers skip intermediate states; the last element is the saved or discarded walk. The
/// sequence ends after that element, when its task is canceled, or when the recorder is released.
/// The sequence doesn't retain the recorder.
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
