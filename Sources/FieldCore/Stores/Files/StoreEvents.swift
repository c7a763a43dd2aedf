internal import FieldFoundation

/// The observers of an open store file, with the handles of its users.
final class StoreEvents: Sendable {
  private let store: String
  private let clock: any FieldClock
  private let observers = Lock<[(handle: UInt64, observer: FieldObserver)]>([])

  /// - Parameter path: The path of the file, of which only the name without its extension is
  ///   reported.
  init(path: String, clock: any FieldClock) {
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    store = name.hasSuffix(".store") ? String(name.dropLast(6)) : String(name)
    self.clock = clock
  }

  func add(_ observer: FieldObserver, for handle: UInt64) {
    observers.withLock { $0.append((handle, observer)) }
  }

  func remove(_ handle: UInt64) {
    observers.withLock { observers in observers.removeAll { $0.handle == handle } }
  }

  /// Creates an operation, unless there are no observers.
  func span(_ name: FieldEvent.Name) -> FieldSpan? {
    let observers = observers.withLock { observers -> [FieldObserver] in
      guard !observers.isEmpty else { return [] }
      // Storages that share an observer report to it once.
      var seen: Set<ObjectIdentifier> = []
      return observers.map(\.observer)
        .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
    return FieldSpan(name, of: store, observers: observers, clock: clock)
  }

  /// Reports that the device failed to confirm a write.
  func syncFailed(_ error: FileSystemError) {
    span(.storeSyncFailure)?.occur(code: error.code)
  }

  /// Reports that damaged bytes were set aside.
  func setAside(_ byteCount: Int?) {
    span(.storeSetAside)?.occur(measures: byteCount.map { [.bytes: $0] } ?? [:])
  }
}
