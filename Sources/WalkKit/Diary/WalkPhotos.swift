public import FieldCore
public import FieldFoundation

/// A sequence of the photos of a walk as they are loaded, in the order in which they were taken.
///
/// ```swift
/// for await photo in diary.photos(of: walk) {
///   show(try? photo.data.get(), at: photo.index)
/// }
/// ```
///
/// The sequence contains exactly one element for each photo of the walk. It ends after the last
/// one, or when its task is canceled.
public struct WalkPhotos: AsyncSequence, Sendable {
  /// The number of photos that are loaded concurrently: the awaited one and the next ones.
  public static let width = 3

  let photos: [WalkPhoto]
  let load: @Sendable (WalkPhoto) async throws -> Data

  /// Creates an iterator, which loads nothing before its first step.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(window: Window(self))
  }

  /// A photo of a walk with its bytes, or the error that prevented loading them.
  public struct Element: Sendable {
    /// The index of the photo in its walk.
    public var index: Int
    /// The photo.
    public var photo: WalkPhoto
    /// The bytes of the photo, or an error.
    public var data: Result<Data, FieldError>
  }

  /// An iterator over the photos of a walk.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let window: Window

    /// Returns the next photo, or `nil` if there are no more or the task was canceled.
    public mutating func next() async -> Element? { await window.next() }
  }

  /// The loads in progress, which are canceled when the iterator that owns them is released.
  fileprivate final class Window: Sendable {
    private struct State: Sendable {
      /// The loads whose results haven't been returned, by the indices of their photos.
      var loads: [Int: Task<Data, any Error>] = [:]
      var started = 0
      var next = 0
    }

    private let source: WalkPhotos
    private let state = Lock(State())

    init(_ source: WalkPhotos) { self.source = source }

    deinit { cancel() }

    func next() async -> Element? {
      guard !Task.isCancelled else {
        cancel()
        return nil
      }
      let photos = source.photos
      let step = state.withLock { state -> (Int, Task<Data, any Error>)? in
        guard state.next < photos.count else { return nil }
        let last = Swift.min(state.next + WalkPhotos.width, photos.count)
        while state.started < last {
          let photo = photos[state.started]
          state.loads[state.started] = Task { [load = source.load] in try await load(photo) }
          state.started += 1
        }
        defer { state.next += 1 }
        return state.loads[state.next].map { (state.next, $0) }
      }
      guard let (index, task) = step else { return nil }
      let outcome = await withTaskCancellationHandler {
        await task.result
      } onCancel: {
        cancel()
      }
      // Release the bytes of a photo that was returned.
      state.withLock { $0.loads[index] = nil }
      guard !Task.isCancelled else { return nil }
      let data = outcome.mapError { error in
        error as? FieldError
          ?? FieldError(.io, "The photo can't be read.", underlying: error)
      }
      return Element(index: index, photo: photos[index], data: data)
    }

    private func cancel() { for load in state.withLock(\.loads).values { load.cancel() } }
  }
}
