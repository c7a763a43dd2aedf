#if canImport(Darwin)
  private import Synchronization
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#endif

/// A lock around a value, the only kind of lock in the package.
///
/// On Apple platforms, it is a `Mutex`. Elsewhere, it is a pthread mutex, because on Linux the
/// thread sanitizer doesn't see the futex behind `Mutex` and reports false races.
///
/// Keep the critical section short, never await in it, and resume continuations after it.
@safe package final class Lock<State: Sendable>: Sendable {
  #if canImport(Darwin)
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
  #else
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
  #endif
}
