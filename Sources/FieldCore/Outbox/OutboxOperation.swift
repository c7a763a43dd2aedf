public import FieldFoundation

/// A request to a server, kept until the server has applied it.
public struct OutboxOperation<Payload>: Identifiable, Codable, Sendable
where Payload: Codable & Equatable & Sendable {
  /// The state of an operation that is still in the outbox.
  public enum State: String, Codable, Hashable, Sendable {
    /// The server definitely hasn't applied the operation.
    ///
    /// It will be sent.
    case waiting
    /// The operation is being sent, or the process that was sending it has ended.
    case sending
    /// The operation was sent, and its outcome is unknown.
    ///
    /// It is resolved as the ``OutboxDelivery`` allows.
    case unsure
    /// The server has permanently rejected the operation.
    ///
    /// It stays until you edit, resend, or discard it.
    case rejected
  }

  /// The ID of the operation, which never changes.
  public let id: UUID
  /// The idempotency key, which identifies the operation to the server.
  ///
  /// It stays the same for all attempts, and changes when you edit or resend the operation.
  public internal(set) var key: UUID
  /// The content to send to the server.
  public internal(set) var payload: Payload
  /// The name of the lane.
  ///
  /// The operations of a lane are sent one after another, in order.
  public let lane: String
  /// The name of the operation's subject, such as a record's ID.
  public let subject: String
  /// A Boolean value that indicates whether the rejection of this operation holds up those behind
  /// it.
  public let blocksLane: Bool
  /// The date at which the operation was added.
  public let enqueued: Date
  /// The state of the operation.
  public internal(set) var state: State
  /// The number of attempts that have failed.
  public internal(set) var attempts = 0
  /// The date of the last attempt, or `nil` if there was none.
  public internal(set) var lastAttempt: Date?
  /// The earliest date of the next attempt, or `nil` if the operation is due or rejected.
  public internal(set) var nextAttempt: Date?
  /// The error of the last failed attempt, with the server's message if there was one; otherwise
  /// `nil`.
  public internal(set) var lastError: FieldError?
  /// The size of the stored payload, in bytes.
  public internal(set) var byteCount = 0

  /// The date of the first attempt with this key.
  var firstAttempt: Date?
  /// A Boolean value that indicates whether the outcome of an attempt with this key was ever unknown.
  ///
  /// An abandoned request may still reach the server later, so the payload must not change.
  var isInDoubt = false
  /// The claim of the process that sends the operation.
  var lease: Lease?

  /// A sender's claim to an operation, which expires if the sender ends.
  struct Lease: Codable, Hashable, Sendable {
    let sender: UUID
    let end: Date
    /// The process of the sender; `nil` if an earlier version has stored the claim.
    var process: ProcessMark?
  }

  /// Creates an operation that waits to be sent.
  package init(
    _ payload: Payload, id: UUID = UUID(), lane: String = "", subject: String? = nil,
    blocksLane: Bool = true, enqueued: Date
  ) {
    (self.id, key) = (id, id)
    self.payload = payload
    self.lane = lane
    self.subject = subject ?? lane
    self.blocksLane = blocksLane
    self.enqueued = enqueued
    state = .waiting
  }
}

extension OutboxOperation: Hashable {
  /// Hashes the ID, the key, and the state.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(key)
    hasher.combine(state)
  }
}

extension OutboxOperation: Equatable {
  /// Returns a Boolean value that indicates whether two operations are equal; their errors are compared by
  /// code and message.
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.key == right.key && left.state == right.state
      && left.attempts == right.attempts && left.lastAttempt == right.lastAttempt
      && left.nextAttempt == right.nextAttempt && left.firstAttempt == right.firstAttempt
      && left.isInDoubt == right.isInDoubt && left.lease == right.lease
      && left.lane == right.lane && left.subject == right.subject
      && left.blocksLane == right.blocksLane && left.enqueued == right.enqueued
      && left.byteCount == right.byteCount && left.payload == right.payload
      && left.lastError?.code == right.lastError?.code
      && left.lastError?.message == right.lastError?.message
  }
}

extension OutboxOperation {
  /// A Boolean value that indicates whether the payload can be changed: the server hasn't applied the
  /// operation, and no request that contains it is under way.
  public var isEditable: Bool { state == .rejected || state == .waiting && !isInDoubt }

  /// A Boolean value that indicates whether a later operation can be merged into this one.
  var isMergeable: Bool { state == .waiting && firstAttempt == nil }

  /// Makes the operation wait as if it had just been added, with a new key if it was sent.
  mutating func restart() {
    if firstAttempt != nil { key = UUID() }
    (state, attempts, isInDoubt) = (.waiting, 0, false)
    (lastAttempt, firstAttempt, nextAttempt, lastError, lease) = (nil, nil, nil, nil, nil)
  }

  mutating func begin(_ lease: Lease, at now: Date) {
    // The previous sender hasn't seen an outcome.
    if state != .waiting { isInDoubt = true }
    state = .sending
    (self.lease, nextAttempt) = (lease, nil)
    lastAttempt = now
    firstAttempt = firstAttempt ?? now
  }

  mutating func fail(_ state: State, _ error: FieldError, isCounted: Bool, next: Date?) {
    if state == .unsure { isInDoubt = true }
    self.state = state
    (lastError, nextAttempt, lease) = (error, next, nil)
    if isCounted { attempts += 1 }
  }
}
