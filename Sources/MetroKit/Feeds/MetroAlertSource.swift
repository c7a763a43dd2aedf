public import FieldCore

/// A type that supplies a metro with alerts to its passengers.
///
/// ### When to implement it
///
/// ``TDXAlerts`` reads the alerts that the ministry's service publishes. Implement the protocol for
/// another operator, or for messages that your app already has.
///
/// ### How to implement it
///
/// - Return the alerts that are in force, in source order; none if service is normal.
/// - Report rows that can't be read as failures; don't throw an error for them.
/// - Throw `FieldError` if the response isn't a list of alerts. The metro then keeps its current
///   alerts. Arrivals are fetched and fail separately.
/// - Return within four seconds. After that, a refresh ends without the alerts, with the code
///   `transport.timeout`; they are stored when they arrive. Meanwhile, your source isn't called again.
/// - Throw an error when the task is canceled: the metro cancels it if the refresh is canceled, and if
///   its data is erased or it is closed.
public protocol MetroAlertSource: Sendable {
  /// The data source, with its attribution.
  var dataSource: DataSource { get }

  /// Fetches the alerts.
  func fetch() async throws -> MetroAlerts
}
