/// Records that a refresh would have removed, which the ``SnapshotGuard`` refused.
///
/// The error of the refresh contains it as ``FieldError/refusedRemoval``; if only a part of a kit was
/// refused, a ``RefreshReport/Notice`` does. If a person confirms that the source no longer has the records,
/// accept it once with ``RefreshTrigger/acceptingRemovals(upTo:)``.
///
/// ```swift
/// do {
///   try await bikes.refresh()
/// } catch let error as FieldError {
///   if let removal = error.refusedRemoval { print(removal.count, "of", removal.storedCount, removal.ids) }
/// }
/// ```
public struct RefusedRemoval: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The IDs of the records, as text, at most 1,000.
  public var ids: [String]
  /// The number of records that would have been removed.
  public var count: Int
  /// The number of stored records, of this table if the store has several.
  public var storedCount: Int

  /// Creates a value.
  public init(ids: [String], count: Int, storedCount: Int) {
    self.ids = ids
    self.count = count
    self.storedCount = storedCount
  }

  init<ID>(of ids: [ID], stored: Int) {
    self.init(
      ids: ids.prefix(1_000).map { id in
        // A raw value is shorter than the description of the type that wraps it.
        ((id as? any RawRepresentable<String>)?.rawValue ?? "\(id)").printable
      }, count: ids.count, storedCount: stored)
  }

  /// The first IDs, for a message.
  public var description: String {
    let rest = count - min(10, ids.count)
    return ids.prefix(10).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension FieldError {
  /// The removal that a ``SnapshotGuard`` refused, if that is the reason of this error.
  ///
  /// ```swift
  /// if let removal = error.refusedRemoval { print("missing:", removal) }
  /// ```
  public var refusedRemoval: RefusedRemoval? { underlying as? RefusedRemoval }
}

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
