internal import FieldFoundation

extension ArrivalBoard {
  /// Returns the alerts that concern a station: those of the station, those of its lines, and those
  /// of the whole network, in source order.
  ///
  /// All alerts are in ``alerts``.
  ///
  /// ```swift
  /// for alert in board.alerts(at: "台北車站") { show(alert.title, alert.text ?? "") }
  /// ```
  ///
  /// - Parameter station: The station in any spelling, as in ``arrivals(at:freshOnly:)``.
  public func alerts(at station: some StringProtocol) -> [MetroAlert] {
    guard let alerts else { return [] }
    let place = Place(String(station), in: network)
    let known = network.station(named: String(station))
    return alerts.alerts.filter { alert in
      alert.isOfWholeNetwork || alert.stations.contains { $0 == known?.id }
        || alert.stationNames.contains { place.matches(nil, named: $0) }
        || (known?.stops ?? []).contains { alert.lines.contains($0.line) }
    }
  }

  /// The time since the alerts arrived, at ``asOf``; `nil` if there have never been any.
  ///
  /// ```swift
  /// if let age = board.alertsAge, age > .seconds(600) { show("The alerts may be outdated.") }
  /// ```
  public var alertsAge: Duration? {
    alerts?.fetchedAt.map { max(.zero, Self.time(from: $0, to: asOf)) }
  }
}
