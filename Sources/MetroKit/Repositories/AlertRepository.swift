public import FieldCore

/// The store in which a metro keeps its last alerts: any `RecordStore` of alerts, with a single
/// record.
///
/// By default, it is the store `metro-alerts` of a `Storage`.
public typealias AlertRepository = RecordStore<MetroAlerts>

/// The alerts of a response belong together. As one record, they can only be replaced together.
extension MetroAlerts: StoredRecord {
  /// The constant ID, so that new alerts replace the previous ones.
  public var id: String { Self.onlyID }

  static let onlyID = "alerts"

  /// The name of the type in store files.
  public static var storedName: String { "MetroAlerts" }

  /// A Boolean value that indicates whether backups include the alerts, which is `false` because
  /// they are fetched again.
  public static var isBackedUp: Bool { false }
}
