/// An observer of stores and refreshes.
///
/// ```swift
/// let observer = FieldObserver { event in
///   logger.debug("\(event.name)", metadata: event.metadata.mapValues { .string($0) })
/// }
/// let field = Field(
///   storage: .directory(folder).observed(by: observer), transport: URLSessionTransport())
/// ```
///
/// All stores of the storage and all kits that use it report to the observer. Reading reports
/// nothing.
///
/// The closure is called while the operation waits, sometimes by several tasks at once, so keep it
/// short. Events of one store, and those of one refresh, arrive in order. To observe requests, use
/// ``LoggingTransport``.
public final class FieldObserver: Sendable {
  private let sink: @Sendable (FieldEvent) -> Void

  /// Creates an observer that passes each event to a closure.
  public init(_ sink: @escaping @Sendable (FieldEvent) -> Void) { self.sink = sink }

  /// Passes an event to the closure.
  ///
  /// Call this method from a custom store to report its events.
  public func send(_ event: FieldEvent) { sink(event) }

  /// Returns an observer that passes events to this one, and then to another.
  package func and(_ other: FieldObserver) -> FieldObserver {
    FieldObserver { [self] event in
      send(event)
      other.send(event)
    }
  }
}
