/// What a server gave along with a body, to ask later whether that body is still the newest.
///
/// Validators are replayed as they came, to the letter, and only for the exact address that gave
/// them (RFC 9110, section 8.8). They are part of the ``Checkpoint``, and so are committed together
/// with the rows that they describe.
public struct HTTPValidators: Sendable, Hashable, Codable {
  /// The value of `ETag`, quotes and `W/` included.
  public var entityTag: String?
  /// The value of `Last-Modified`.
  public var lastModified: String?

  /// Makes validators.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }
}
