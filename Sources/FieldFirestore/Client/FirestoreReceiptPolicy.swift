/// A policy for storing receipts of commits.
///
/// A receipt is a document whose ID is that of the operation. The operation's commit creates it, so
/// the receipt exists if and only if the writes were applied. Let a TTL policy of the database
/// delete receipts by ``expiryField``, and allow users to create and read them in the security
/// rules.
public struct FirestoreReceiptPolicy: Sendable, Hashable {
  /// The collection of receipts.
  ///
  /// Defaults to `receipts`.
  public var collection: FirestorePath = "receipts"
  /// The field that contains the time after which a receipt may be deleted.
  ///
  /// Defaults to `expireAt`.
  public var expiryField = "expireAt"
  /// The time for which a receipt is kept.
  ///
  /// Defaults to 30 days.
  public var lifetime = Duration.seconds(30 * 86_400)
  /// The safety margin for wrong clocks: the time before its expiry in which a receipt is no longer
  /// relied on.
  ///
  /// Defaults to 1 day.
  public var margin = Duration.seconds(86_400)
  /// Additional fields of each receipt that the rules may need, such as its owner.
  public var fields: FirestoreFields = [:]

  /// Creates the default policy.
  public init() {}
}
