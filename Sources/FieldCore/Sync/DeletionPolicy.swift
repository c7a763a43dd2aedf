/// A policy that decides when a refresh deletes stored records that the source no longer contains.
public struct DeletionPolicy: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the policy.
  public var rawValue: String
  /// Creates a policy from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Never delete: rows are only added and updated, so an incomplete source does no harm.
  public static var never: Self { Self(rawValue: "never") }
  /// Delete records that a complete snapshot of the source doesn't contain.
  ///
  /// The ``SnapshotGuard`` decides whether a snapshot can be complete.
  public static var bySnapshot: Self { Self(rawValue: "bySnapshot") }
  /// Delete records that a request for IDs only, after the changes, doesn't contain.
  ///
  /// A source that can't be queried for IDs alone treats this as ``bySnapshot``.
  public static var byKeys: Self { Self(rawValue: "byKeys") }
}
