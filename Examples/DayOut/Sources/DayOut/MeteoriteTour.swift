import FieldFakes
import FieldKit
import Foundation

/// Meteorites: downloaded, stored, asked, refreshed, and defended against a bad day of the server.
struct MeteoriteTour {
  let storage: Storage

  func run(page: inout HTMLPage) async throws {
    let origin = TourOrigin()
    let server = try LoopbackServer(serving: origin) { _ in
      .slow(bytes: 700, every: .milliseconds(10))
    }
    let catalog = MeteoriteCatalog(
      source: Download<Meteorite>(
        server.url.appending(path: "rows.json"), transport: URLSessionTransport()),
      storage: storage)
    try await firstRefresh(catalog)
    let view = try await catalog.view()
    show(view)
    try showNearest(view)
    try await laterRefreshes(catalog, origin)
    let refusals = try await badDays(catalog, origin)
    try add(try await catalog.view(), refusals, source: catalog.dataSources[0], to: &page)
    try await catalog.close()
    await server.stop()
  }

  private func firstRefresh(_ catalog: MeteoriteCatalog) async throws {
    let steps = catalog.refreshProgress()
    async let report = catalog.refresh()
    for await step in steps {
      ProgressBar.show(step)
      if step.outcome != nil { break }
    }
    let done = try await report
    print("\n  \(done.rows) rows from \(done.origin?.path ?? ""): \(done.added) added\n")
  }

  private static func mass(of meteorite: Meteorite) -> String {
    meteorite.massInGrams.map(massText) ?? "unknown"
  }

  private func show(_ view: MeteoriteView) {
    var heaviest = Table("the heaviest", "class", "mass", "year")
    for meteorite in view.find(MeteoriteQuery(order: .massDescending, limit: 6)) {
      heaviest.add(
        MeteoriteTexts.name(of: meteorite).string(), meteorite.classification.name,
        Self.mass(of: meteorite),
        meteorite.year.map { "\($0)" } ?? "")
    }
    heaviest.print()
    var groups = Table("group", "meteorites", "mass")
    let statistics = view.statistics()
    for group in Meteorite.ClassGroup.all {
      guard let tally = statistics.byGroup[group] else { continue }
      groups.add(
        group.rawValue, "\(tally.count)", massText(grams: tally.massInGrams))
    }
    groups.print()
    for text in ["osterplana", "SOLTMANY"] {
      let names = view.find(MeteoriteQuery(text: text)).map(\.name)
      say("\"\(text)\" finds \(names.joined(separator: ", "))")
    }
    let odd = view.all.filter { $0.positionIssue != nil }
    let issues = odd.map { "\($0.name) (\($0.positionIssue?.rawValue ?? ""))" }
    say("stored, with issues: \(issues.joined(separator: ", "))\n")
  }

  private func showNearest(_ view: MeteoriteView) throws {
    let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
    var nearest = Table("nearest to Bratislava", "km")
    for near in view.nearest(to: bratislava, count: 5) {
      let kilometers = NumberStyle.plain.string(near.distance.meters / 1_000, fractionDigits: 1)
      nearest.add(near.meteorite.name, kilometers)
    }
    nearest.print()
  }

  private func laterRefreshes(_ catalog: MeteoriteCatalog, _ origin: TourOrigin) async throws {
    let early = try await catalog.refresh()
    say("a second refresh on the same day: \(early.outcome)")
    let asked = try await catalog.refresh(.now)
    say("requested anyway: \(asked.outcome), \(origin.lastStatus) over the wire")
    origin.answer = .nextDay
    let next = try await catalog.refresh(.now)
    say(
      """
      the next day, as CSV: \(next.added) added, \(next.updated) updated, \(next.removed) removed, \
      \(next.unchanged) unchanged\n
      """)
  }

  private func badDays(
    _ catalog: MeteoriteCatalog, _ origin: TourOrigin
  ) async throws -> [(day: String, message: String)] {
    var refusals: [(day: String, message: String)] = []
    for answer in TourOrigin.Answer.badOnes {
      origin.answer = answer
      do {
        try await catalog.refresh(.now)
      } catch let error as FieldError {
        refusals.append((answer.title, "\(error.code): \(error.message)"))
        say("\(answer.title): \(error.code); still \(try await catalog.count()) meteorites")
      }
    }
    return refusals
  }

  private func add(
    _ view: MeteoriteView, _ refusals: [(day: String, message: String)], source: DataSource,
    to page: inout HTMLPage
  ) throws {
    var map = WorldMap()
    for cell in try view.heatMap(cellDegrees: 15).cells { map.shade(cell.box, weight: cell.count) }
    for meteorite in view.find(MeteoriteQuery(plausibleOnly: true, order: .massDescending)) {
      guard let coordinate = meteorite.coordinate else { continue }
      let mass = Self.mass(of: meteorite)
      map.mark(
        coordinate, size: meteorite.sizeClass == .big ? 5 : meteorite.sizeClass == .small ? 4 : 3,
        label: "\(meteorite.name), \(meteorite.classification.name), \(mass)")
    }
    page.heading("Meteorites")
    page.figure(
      map.svg, caption: "\(view.count) meteorites; the shade shows how many are in a cell")
    page.table(
      caption: "The heaviest meteorites",
      ["name", "class", "mass", "year"],
      view.find(MeteoriteQuery(order: .massDescending, limit: 10)).map { meteorite in
        [
          meteorite.name, meteorite.classification.name,
          Self.mass(of: meteorite),
          meteorite.year.map { "\($0)" } ?? "",
        ]
      })
    page.heading("When the server misbehaves")
    page.table(
      caption: "Answers of the server that were refused",
      ["the answer", "the error; the store was unchanged each time"],
      refusals.map { [$0.day, $0.message] })
    page.note(source.attribution)
  }
}
