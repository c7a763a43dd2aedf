#if canImport(Glibc) || canImport(Musl)
  private import FieldLibc
#else
  private import Synchronization
#endif

/// A lock around a value, the only kind of lock in the package.
///
/// It is a `Mutex`, except on Linux, where the thread sanitizer doesn't see the futex behind `Mutex`
/// and reports false races. There, it is a pthread mutex.
///
/// Keep the critical section short, never await in it, and resume continuations after it.
@safe package final class Lock<State: Sendable>: Sendable {
  #if canImport(Glibc) || canImport(Musl)
    // Both are accessed only inside `withLock`, between lock and unlock, or in `deinit`, when no
    // other reference exists; the compiler can't see that, hence `nonisolated(unsafe)`.
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private nonisolated(unsafe) var state: State

    package init(_ state: State) {
      unsafe mutex = .allocate(capacity: 1)
      unsafe mutex.initialize(to: pthread_mutex_t())
      unsafe pthread_mutex_init(mutex, nil)
      unsafe self.state = state
    }

    deinit {
      unsafe pthread_mutex_destroy(mutex)
      unsafe mutex.deinitialize(count: 1)
      unsafe mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      unsafe pthread_mutex_lock(mutex)
      defer {
        unsafe pthread_mutex_unlock(mutex)
        extendLifetime(self)
      }
      return try unsafe body(&state)
    }
  #else
    private let mutex: Mutex<State>

    package init(_ state: State) {
      mutex = Mutex(state)
    }

    package func withLock<Result, Failure: Error>(
      _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      // `Mutex` requires a `sending` result; a box carries any result across it.
      var result: Swift.Result<Result, Failure>?
      mutex.withLock { state in
        do throws(Failure) {
          result = .success(try body(&state))
        } catch {
          result = .failure(error)
        }
      }
      guard let result else { preconditionFailure("The mutex didn't run its body.") }
      return try result.get()
    }
  #endif
}
