internal import Synchronization

/// The values of operations that have begun and not ended, by their numbers.
final class Operations<Value: Sendable>: Sendable {
  private let values = Mutex<[Int: Value]>([:])

  subscript(operation: Int) -> Value? { values.withLock { $0[operation] } }

  func begin(_ operation: Int, _ value: Value) { values.withLock { $0[operation] = value } }

  func end(_ operation: Int) -> Value? { values.withLock { $0.removeValue(forKey: operation) } }
}
