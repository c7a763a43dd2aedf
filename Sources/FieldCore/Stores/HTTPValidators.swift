/// The validators of an HTTP response, with which a later request checks whether its body is
/// current.
///
/// Validators are sent back unchanged, and only to the exact URL that returned them (RFC 9110,
/// section 8.8). They are part of the ``Checkpoint``, so they are committed together with the rows
/// that they describe.
public struct HTTPValidators: Sendable, Hashable, Codable {
  /// The value of `ETag`, including quotes and `W/`.
  public var entityTag: String?
  /// The value of `Last-Modified`.
  public var lastModified: String?

  /// Creates validators.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }
}
