/// How receipts of commits are stored.
///
/// A receipt is a document whose ID is that of the operation. It is created in the same commit as the
/// operation's writes, so that it exists if and only if they were applied. Let a TTL policy of the database
/// delete receipts by ``expiryField``, and allow users to create and read them in the rules.
public struct FirestoreReceiptPolicy: Sendable, Hashable {
  /// The collection of receipts. Defaults to `receipts`.
  public var collection: FirestorePath = "receipts"
  /// The field with the time after which a receipt may be deleted. Defaults to `expireAt`.
  public var expiryField = "expireAt"
  /// The time that a receipt is kept. Defaults to 30 days.
  public var lifetime = Duration.seconds(30 * 86_400)
  /// The time before its end in which a receipt isn't relied on, for clocks that are wrong. Defaults to
  /// 1 day.
  public var margin = Duration.seconds(86_400)
  /// Other fields of each receipt, such as its owner, which rules may need.
  public var fields: FirestoreFields = [:]

  /// Creates the default policy.
  public init() {}
}
