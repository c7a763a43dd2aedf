/// The limits for how long a ``SODAClient`` waits for responses that a portal announces.
///
/// Transient failures, such as 503, aren't covered: wrap the transport in `retrying(_:)`.
public struct SODAPatience: Sendable, Hashable, Codable {
  /// The delay before repeating a request after 202, "request processing".
  ///
  /// Defaults to 5 seconds. The delay doesn't grow, and a longer `Retry-After` is respected, up to
  /// 60 seconds.
  public var pendingWait: Duration
  /// The maximum number of repeated requests after 202.
  ///
  /// Defaults to 24.
  public var pendingLimit: Int
  /// The delay before repeating a request after a response of an outdated replica.
  ///
  /// Defaults to 5 seconds.
  public var staleWait: Duration
  /// The maximum number of repeated requests for a newer response.
  ///
  /// Defaults to 5. Pass 0 to reject outdated replicas after a single request.
  public var staleLimit: Int
  /// The maximum number of repeated requests after truncated responses.
  ///
  /// Defaults to 3.
  public var cutLimit: Int

  /// Creates limits.
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
