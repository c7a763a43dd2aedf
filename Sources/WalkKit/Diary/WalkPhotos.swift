public import FieldCore
public import FieldFoundation

/// The photos of a walk as they come, in the order in which they were taken.
///
/// ```swift
/// for await photo in diary.photos(of: walk) {
///   show(try? photo.data.get(), at: photo.index)
/// }
/// ```
///
/// There is exactly one element for each photo of the walk. The sequence ends after the last one, and
/// when its task is cancelled.
public struct WalkPhotos: AsyncSequence, Sendable {
  /// How many photos are loaded at a time: one that is waited for and the next ones.
  public static let width = 3

  private let photos: [WalkPhoto]
  private let load: @Sendable (WalkPhoto) async throws -> Data

  init(photos: [WalkPhoto], load: @escaping @Sendable (WalkPhoto) async throws -> Data) {
    self.photos = photos
    self.load = load
  }

  /// Makes an iterator; nothing is loaded before its first step.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(window: Window(photos: photos, load: load))
  }

  /// A photo of a walk with its bytes, or why there are none.
  public struct Element: Sendable {
    /// The place of the photo in its walk, from 0.
    public var index: Int
    /// The photo.
    public var photo: WalkPhoto
    /// Its bytes.
    public var data: Result<Data, FieldError>
  }

  /// Gives the photos one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let window: Window

    /// The next photo; nil when there are no more, or the task was cancelled.
    public mutating func next() async -> Element? { await window.next() }
  }

  /// The loads that are under way; with the iterator that owns it they are cancelled.
  fileprivate final class Window: Sendable {
    private struct State: Sendable {
      /// Those that were not taken yet, by the places of their photos.
      var loads: [Int: Task<Result<Data, any Error>, Never>] = [:]
      var started = 0
      var next = 0
    }

    private let photos: [WalkPhoto]
    private let load: @Sendable (WalkPhoto) async throws -> Data
    private let state = Lock(State())

    init(photos: [WalkPhoto], load: @escaping @Sendable (WalkPhoto) async throws -> Data) {
      self.photos = photos
      self.load = load
    }

    deinit { cancel() }

    func next() async -> Element? {
      guard !Task.isCancelled else {
        cancel()
        return nil
      }
      let step = state.withLock { state -> (Int, Task<Result<Data, any Error>, Never>)? in
        guard state.next < photos.count else { return nil }
        let last = Swift.min(state.next + WalkPhotos.width, photos.count)
        while state.started < last {
          let photo = photos[state.started]
          state.loads[state.started] = Task { [load] in
            do {
              return .success(try await load(photo))
            } catch {
              return .failure(error)
            }
          }
          state.started += 1
        }
        defer { state.next += 1 }
        return state.loads[state.next].map { (state.next, $0) }
      }
      guard let (index, task) = step else { return nil }
      let outcome = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        cancel()
      }
      // So that the bytes of what was shown are not kept.
      state.withLock { $0.loads[index] = nil }
      guard !Task.isCancelled else { return nil }
      let data = outcome.mapError { error in
        error as? FieldError
          ?? FieldError(.io, "the photo cannot be read", underlying: error)
      }
      return Element(index: index, photo: photos[index], data: data)
    }

    private func cancel() {
      for load in state.withLock(\.loads).values { load.cancel() }
    }
  }
}
