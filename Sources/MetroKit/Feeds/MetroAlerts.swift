public import FieldCore
public import FieldFoundation

/// The alerts of a response.
public struct MetroAlerts: Hashable, Sendable, Codable {
  /// The alerts, in source order; empty if everything is normal.
  public var alerts: [MetroAlert]
  /// The rows that couldn't be used.
  public var failures: [RowFailure]
  /// The date of the response by the server's clock; `nil` if the response doesn't give one.
  public var serverDate: Date?
  /// The date when a ``Metro`` received the alerts, by the device's clock; `nil` if they are directly
  /// from a source.
  public var fetchedAt: Date?

  /// Creates a list of alerts.
  public init(alerts: [MetroAlert], failures: [RowFailure] = [], serverDate: Date? = nil) {
    self.alerts = alerts
    self.failures = failures
    self.serverDate = serverDate
  }

  /// Creates alerts by reading TDX's list: an array, or one under `Alerts`.
  ///
  /// The alert that says that everything is normal is skipped.
  ///
  /// - Throws: `FieldError` with a `rows.…` code if the bytes aren't such a list, or only part of
  ///   one.
  public init(reading bytes: [UInt8], network: MetroNetwork = .taipei) throws {
    let first = FeedBody.firstInk(bytes)
    let isArray = first < bytes.count && bytes[first] == UInt8(ascii: "[")
    var alerts: [MetroAlert] = []
    let summary = try RowReader.forEachRow(
      of: bytes, columns: AlertColumn.all, key: AlertColumn.id,
      format: isArray ? .jsonArray : .envelope(path: ["Alerts"])
    ) { row throws(RowProblem) in
      let alert = try AlertColumn.alert(row, network)
      if !alert.saysAllIsNormal { alerts.append(alert) }
    }
    self.init(alerts: alerts, failures: summary.failures)
  }
}
