internal import FieldCore
internal import Foundation

/// Runs code with 512 KB of stack, as the threads of tasks have on Apple platforms.
public func onSmallStack<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let result = Lock<Result<Value, any Error>?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    let value = Result { try body() }
    result.withLock { $0 = value }
    isDone.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  isDone.wait()
  guard let value = result.withLock({ $0 }) else { throw CancellationError() }
  return try value.get()
}
