import FieldKit

/// The output of `day-out meteorites --json`.
struct MeteoritesReport: Encodable {
  struct Heaviest: Encodable {
    let id: String
    let name: String
    let grams: Double
  }

  struct Near: Encodable {
    let id: String
    let name: String
    let meters: Double
  }

  let rows: Int
  let stored: Int
  let failures: Int
  let withMass: Int
  let withYear: Int
  let withCoordinate: Int
  let plausible: Int
  let yearMin: Int?
  let yearMax: Int?
  let totalMassGrams: Double
  let heaviest: Heaviest?
  let nearest: [Near]
  let search: Int?
  let changes: [RefreshChange]

  init(
    refreshes: [RefreshReport], view: MeteoriteView, nearest: [NearbyMeteorite], search: Int?
  ) {
    let statistics = view.statistics()
    let years = view.all.compactMap(\.year?.rawValue)
    rows = refreshes.last?.rows ?? 0
    stored = view.count
    failures = refreshes.last?.failures.count ?? 0
    withMass = statistics.total.withMass
    withYear = years.count
    withCoordinate = view.all.count { $0.coordinate != nil }
    plausible = view.count(MeteoriteQuery(plausibleOnly: true))
    yearMin = years.min()
    yearMax = years.max()
    totalMassGrams = statistics.total.massInGrams
    heaviest = statistics.total.heaviest.flatMap { view[$0] }.map {
      Heaviest(id: $0.id.rawValue, name: $0.name, grams: $0.massInGrams ?? 0)
    }
    self.nearest = nearest.map {
      Near(id: $0.id.rawValue, name: $0.meteorite.name, meters: $0.distance.meters)
    }
    self.search = search
    changes = refreshes.map(RefreshChange.init)
  }

  func printTables(_ refreshes: [RefreshReport], search text: String?) {
    RefreshChange.printTable(of: refreshes)
    var figures = Table("figure", "value")
    figures.add("stored", grouped(stored))
    figures.add("with a mass", grouped(withMass))
    figures.add("with a year", grouped(withYear))
    figures.add("with a position", grouped(withCoordinate))
    figures.add("with a plausible one", grouped(plausible))
    figures.add("years", "\(yearMin.map(String.init) ?? "-") to \(yearMax.map(String.init) ?? "-")")
    figures.add("total mass", massText(grams: totalMassGrams))
    if let heaviest {
      figures.add("heaviest", "\(heaviest.name), \(massText(grams: heaviest.grams))")
    }
    if let text, let search { figures.add("names with \"\(text)\"", grouped(search)) }
    figures.print()
    guard !nearest.isEmpty else { return }
    var places = Table("nearest", "id", "km")
    for near in nearest {
      places.add(near.name, near.id, "\((near.meters / 100).rounded() / 10)")
    }
    places.print()
  }
}
