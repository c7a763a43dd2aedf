public import FieldCore
public import WalkKit

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
      FirestoreWalks(backend, storage: storage, transport: transport, clock: clock),
      recording: recording)
  }

  /// Creates a diary over a store in Firestore, whose storage and transport it shares.
  ///
  /// Keep the ``FirestoreWalks`` to show what waits to be sent.
  ///
  /// - Parameters:
  ///   - cloud: The store in Firestore and on the device. Closing the diary closes it.
  ///   - clock: The clock to use; `nil` for that of the store. Defaults to `nil`.
  ///   - rules: The requirements for registering a pet.
  ///   - recording: The options for recording walks.
  ///   - conditions: The sources of a walk's weather and air quality if the owner doesn't enter them.
  ///   - photoLimits: The largest photo to download, and the space for downloaded photos.
  ///   - random: A closure that returns a random number from 0 up to but not including 1, for IDs and
  ///     random goals.
  public convenience init(
    _ cloud: FirestoreWalks, clock: (any FieldClock)? = nil, rules: PetRules = PetRules(),
    recording: RecordingOptions = .standard, conditions: WalkConditions = WalkConditions(),
    photoLimits: AssetLimits = AssetLimits(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.init(
      repository: cloud.stored.store, blobs: cloud.stored.blobs, refresh: cloud.diaryRefresh,
      storage: cloud.storage, transport: cloud.transport, clock: clock ?? cloud.clock, rules: rules,
      recording: recording, conditions: conditions, photoLimits: photoLimits, random: random)
  }
}
