public import Synchronization

/// A value that is made when it is first used, by one of the threads that need it, and is read without a lock from
/// then on.
@safe
@usableFromInline
package final class Once<Value: Sendable>: Sendable {
  /// Where the value is, to be read without retaining the object, whose lifetime the reader has to extend.
  @safe
  @usableFromInline
  package struct Place: Sendable {
    // The pointer never changes, and what it points to is atomic; the compiler can't see that.
    @usableFromInline
    nonisolated(unsafe) let isMade: UnsafeMutablePointer<Atomic<Bool>>
    // The value is written once, before `isMade` is set, and read only after that.
    @usableFromInline
    nonisolated(unsafe) let memory: UnsafeMutablePointer<Value>

    init() {
      unsafe isMade = .allocate(capacity: 1)
      unsafe isMade.initialize(to: Atomic(false))
      unsafe memory = .allocate(capacity: 1)
    }

    func fill(_ value: Value) {
      unsafe memory.initialize(to: value)
      unsafe isMade.pointee.store(true, ordering: .releasing)
    }

    func free() {
      if unsafe isMade.pointee.load(ordering: .acquiring) { unsafe memory.deinitialize(count: 1) }
      unsafe memory.deallocate()
      unsafe isMade.deinitialize(count: 1)
      unsafe isMade.deallocate()
    }

    /// The value's memory, or `nil` if the value hasn't been made.
    @inlinable
    @inline(__always)
    package var pointer: UnsafePointer<Value>? {
      unsafe isMade.pointee.load(ordering: .acquiring) ? unsafe UnsafePointer(memory) : nil
    }
  }

  package let place: Place
  private let make: Lock<(@Sendable () -> Value)?>

  /// Creates a value that `make` returns; `make` is called at most once, and then released.
  @usableFromInline
  package init(_ make: @escaping @Sendable () -> Value) {
    place = Place()
    self.make = Lock(make)
  }

  package init(made value: Value) {
    place = Place()
    make = Lock(nil)
    place.fill(value)
  }

  deinit { place.free() }

  @usableFromInline
  package var value: Value { madeValue ?? withExtendedLifetime(self) { unsafe pointer.pointee } }

  /// The value, or `nil` if it hasn't been made.
  package var madeValue: Value? { withExtendedLifetime(self) { unsafe place.pointer?.pointee } }

  /// The value's memory, valid as long as this object, whose lifetime the reader has to extend.
  @usableFromInline
  package var pointer: UnsafePointer<Value> {
    make.withLock { make in
      if let value = make?() { place.fill(value) }
      make = nil
    }
    return unsafe UnsafePointer(place.memory)
  }
}
