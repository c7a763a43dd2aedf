/// The store from whose file records are decoded when they are used.
///
/// Opening accepts a record only if it can be decoded, but a type may depend on more than its code, and a record that was left in the file may
/// be unreadable later. That happens in the middle of a query, which can't throw. Another record takes the place of this one, so that the process doesn't
/// end, and the store refuses everything until it has been opened again.
@usableFromInline
package final class StoredSource: Sendable {
  private struct State: Sendable {
    var failure: FieldError?
    var standIn: (any Sendable)?
  }

  private let path: String
  private let onFailure: @Sendable () -> Void
  private let state = Lock(State())

  /// - Parameter onFailure: Called when the first record can't be decoded.
  package init(path: String, onFailure: @escaping @Sendable () -> Void) {
    self.path = path
    self.onFailure = onFailure
  }

  /// The error of the first record that couldn't be decoded, or `nil` if there was none.
  package var failure: FieldError? { state.withLock { $0.failure } }

  /// Sets the record that takes the place of others.
  @usableFromInline
  func setStandIn(_ record: some Sendable) { state.withLock { $0.standIn = record } }

  /// Notes that a record can't be decoded.
  @usableFromInline
  func fail(_ error: any Error) {
    let isFirst = state.withLock { state in
      guard state.failure == nil else { return false }
      state.failure = FieldError(
        .needsReopening,
        """
        \(path): A record couldn't be read or decoded when it was used, although opening had accepted it. Open the store \
        again, which decodes all records and reports those that it can't decode.
        """, underlying: error)
      return true
    }
    if isFirst { onFailure() }
  }

  /// Returns the record that takes the place of one that can't be decoded.
  @usableFromInline
  func standIn<Record>(_ type: Record.Type) -> Record? { state.withLock { $0.standIn as? Record } }
}
