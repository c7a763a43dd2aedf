/// A value that is made once doing without it has cost about as much as making it.
///
/// An index of all records pays only if enough queries use it. So the first few do without it, and together with
/// making it, they never cost more than about twice what knowing the future would have.
///
/// The work is counted in a unit of the caller's choice, such as queries or records looked at. Once the value has
/// been made, it is read without a lock.
@usableFromInline
package final class Amortized<Value: Sendable>: Sendable {
  private let once: Once<Value>
  private let price: Int
  private let done: Lock<Int>

  /// Creates a value that isn't made yet.
  ///
  /// - Parameters:
  ///   - price: The amount of work without the value that costs about as much as making it. The value is made when it
  ///     is needed after that.
  ///   - done: The work that was done without an earlier value of the same kind.
  ///   - make: A closure that returns the value. It is called at most once.
  @usableFromInline
  package init(after price: Int, done: Int = 0, _ make: @escaping @Sendable () -> Value) {
    once = Once(make)
    self.price = price
    self.done = Lock(done)
  }

  /// Creates a value that has been made.
  package init(made value: Value) {
    once = Once(made: value)
    price = 0
    done = Lock(0)
  }

  /// The value, which is made if it hasn't been, whatever that costs.
  @usableFromInline
  package var value: Value { once.value }

  /// The value, or `nil` if it hasn't been made.
  @usableFromInline
  package var madeValue: Value? { once.madeValue }

  /// Where the value is, valid as long as this object.
  @usableFromInline
  package var place: Once<Value>.Place { once.place }

  /// The work that was done without the value.
  package var workDone: Int { done.withLock { $0 } }

  /// Returns the value, or `nil` if doing without it once more costs less, which counts.
  ///
  /// - Parameter work: The work to do without the value.
  @usableFromInline
  package func value(insteadOf work: Int) -> Value? {
    if let made = once.madeValue { return made }
    let isPaid = done.withLock { done in
      if done >= price { return true }
      // The price is at most the largest number, so a sum that is larger has reached it.
      done = done.addingReportingOverflow(work).overflow ? .max : done + work
      return false
    }
    return isPaid ? once.value : nil
  }
}
