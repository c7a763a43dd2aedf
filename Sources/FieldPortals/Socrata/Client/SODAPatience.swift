/// How long a ``SODAClient`` waits for what a portal announces but does not give at once.
///
/// Failures that pass, such as 503, are not its matter: wrap the transport in `retrying(_:)`.
public struct SODAPatience: Sendable, Hashable, Codable {
  /// The wait before asking again after 202, "request processing"; 5 seconds by default. It does not
  /// grow, and a longer `Retry-After` is kept to.
  public var pendingWait: Duration
  /// How often the portal is asked again after 202; 24 times by default.
  public var pendingLimit: Int
  /// The wait before asking again after an answer of a replica that says it is out of date; 5 seconds
  /// by default.
  public var staleWait: Duration
  /// How often the portal is asked again for a newer answer; 5 times by default. Zero takes no replica
  /// that is out of date, and asks only once.
  public var staleLimit: Int
  /// How often the portal is asked again when an answer ends in the middle; 3 times by default.
  public var cutLimit: Int

  /// Makes a patience.
  public init(
    pendingWait: Duration = .seconds(5), pendingLimit: Int = 24,
    staleWait: Duration = .seconds(5), staleLimit: Int = 5, cutLimit: Int = 3
  ) {
    self.pendingWait = pendingWait
    self.pendingLimit = pendingLimit
    self.staleWait = staleWait
    self.staleLimit = staleLimit
    self.cutLimit = cutLimit
  }
}
