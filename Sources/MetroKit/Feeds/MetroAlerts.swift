public import FieldCore
public import FieldFoundation

/// The alerts of an answer.
public struct MetroAlerts: Hashable, Sendable, Codable {
  /// The alerts in the source's order; none when all is normal.
  public var alerts: [MetroAlert]
  /// The rows that could not be used.
  public var failures: [RowFailure]
  /// The time on the server's clock when it answered; nil when it does not say.
  public var serverDate: Date?

  /// Makes an answer.
  public init(alerts: [MetroAlert], failures: [RowFailure] = [], serverDate: Date? = nil) {
    self.alerts = alerts
    self.failures = failures
    self.serverDate = serverDate
  }

  /// Reads TDX's list of alerts: an array, or one under `Alerts`. The one that says that all is normal
  /// is left out.
  ///
  /// - Throws: `FieldError` with a `rows.…` code when the bytes are no such list, or only a part of one.
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
