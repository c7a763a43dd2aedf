public import FieldCore
public import WalkKit

extension WalkBackend {
  /// Returns a backend that keeps a diary in Firestore, and everything on the device as well.
  ///
  /// Create ``FirestoreWalks`` yourself to show what waits to be sent.
  public static func firestore(
    _ configuration: WalkFirestoreConfiguration, storage: Storage, transport: any Transport,
    clock: any FieldClock = .system
  ) -> WalkBackend {
    FirestoreWalks(configuration, storage: storage, transport: transport, clock: clock).backend
  }
}

extension WalkDiary {
  /// Creates a diary that is kept in Firestore, and on the device as well.
  ///
  /// ```swift
  /// let diary = WalkDiary(
  ///   storage: .application("walks"), transport: URLSessionTransport(),
  ///   backend: .firestore(configuration))
  /// ```
  ///
  /// - Parameters:
  ///   - storage: The storage on the device. What it contains of an earlier diary is sent.
  ///   - transport: The transport, without retries.
  ///   - backend: The place in Firestore.
  ///   - clock: The clock to use.
  ///   - recording: The options for recording walks.
  public convenience init(
    storage: Storage, transport: any Transport, backend: WalkFirestoreConfiguration,
    clock: any FieldClock = .system, recording: RecordingOptions = .standard
  ) {
    self.init(
      backend: .firestore(backend, storage: storage, transport: transport, clock: clock),
      storage: storage, transport: transport, clock: clock, recording: recording)
  }
}
