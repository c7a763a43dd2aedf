/// When a refresh removes stored records that the source no longer has.
public struct DeletionPolicy: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the policy.
  public var rawValue: String
  /// Makes a policy from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Never: rows are added and updated only, and an incomplete source does no harm.
  public static var never: Self { Self(rawValue: "never") }
  /// When a complete snapshot of the source does not have them; the ``SnapshotGuard`` decides whether
  /// a snapshot can be complete.
  public static var bySnapshot: Self { Self(rawValue: "bySnapshot") }
  /// When a request for nothing but ids, which follows the changes, does not have them. A source that
  /// cannot be asked for ids alone treats it as ``bySnapshot``.
  public static var byKeys: Self { Self(rawValue: "byKeys") }
}
