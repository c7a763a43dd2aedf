internal import FieldCore

enum AlertColumn {
  static let id = 0
  static let title = 1
  static let text = 2
  static let status = 3
  static let scope = 4
  static let published = 5
  static let updated = 6

  static let all: [RowColumn] = [
    RowColumn("AlertID"), RowColumn("Title"), RowColumn("Description"), RowColumn("Status"),
    RowColumn("Scope"), RowColumn("PublishTime"), RowColumn("UpdateTime"),
  ]

  static func alert(
    _ row: borrowing SourceRow, _ network: MetroNetwork
  ) throws(RowProblem) -> MetroAlert {
    guard let id = row.id(id) else { throw RowProblem("there is no AlertID") }
    let text = row.text(text)
    guard let title = row.text(title) ?? text else { throw RowProblem("there is no text") }
    let scope = row.json(scope)
    let lines = (scope?["Lines"]?.elements ?? []).compactMap { $0["LineID"]?.string }
    var stations: [MetroStation.ID] = []
    var names: [String] = []
    for station in scope?["Stations"]?.elements ?? [] {
      let name = station["StationName"]?["Zh_tw"]?.string ?? station["StationName"]?.string
      let code = station["StationID"]?.string
      if let shown = name ?? code { names.append(shown) }
      let known = [name, code].lazy.compactMap { $0 }.compactMap { network.station(named: $0) }
      if let known = known.first { stations.append(known.id) }
    }
    return MetroAlert(
      id: MetroAlert.ID(rawValue: id), title: title, text: text,
      status: row.integer(status).map(MetroAlert.Status.init(rawValue:)),
      lines: lines.map(MetroLine.ID.init(rawValue:)), stations: stations, stationNames: names,
      publishedAt: row.text(published).map { FeedTime($0) },
      updatedAt: row.text(updated).map { FeedTime($0) })
  }
}
