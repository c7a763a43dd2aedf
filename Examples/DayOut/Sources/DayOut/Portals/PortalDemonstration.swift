import FieldFakes
import FieldKit
import Foundation

/// A portal of each family on this machine, each with the same 500 trees, of which some are felled and some are planted while they
/// are read.
enum PortalDemonstration {
  private static let columns: [FakeSODAServer.Column] = [
    "species", .init("height", .number), .init("spot", .point),
  ]
  private static let species = ["Quercus robur", "Tilia cordata", "榕樹", "Acer campestre"]
  private static let count = 500

  private static func row(_ number: Int) -> FakeSODAServer.Row {
    [
      "species": .text(species[number % species.count]), "height": .number(number % 30 + 2),
      "spot": .point(
        longitude: 14.40 + Double(number % 25) / 1_000,
        latitude: 50.05 + Double(number / 25) / 1_000),
    ]
  }

  /// A portal, and the address that somebody pastes.
  private struct Portal {
    let server: LoopbackServer
    let path: String
    /// The number of rows at the end of a sync.
    let count: @Sendable () -> Int
  }

  private static func portals() throws -> [Portal] {
    let rows = (0..<count).map(row)
    func fake(_ dialect: FakePortal.Dialect, _ path: String) throws -> Portal {
      let portal = FakePortal(dialect, columns: columns, rows: rows)
      portal.options.pageCap = 100
      // Rows move while pages are read; an export is one response.
      portal.onRequest = { number, _ in
        guard (5...7).contains(number), dialect != .openDataSoft else { return }
        portal.insert([row(count + number)])
      }
      return Portal(server: try LoopbackServer(serving: portal), path: path) {
        portal.numbers.count
      }
    }
    let soda = FakeSODAServer(columns: columns, rows: rows)
    let taipei = FakeTaipeiOpenData(datasets: [
      FakeTaipeiOpenData.Dataset(
        "307a7f61-e302-4108-a817-877ccbfca7c1",
        rows: (0..<count).map { number in
          [
            "species": species[number % species.count],
            "緯度": "\(50.05 + Double(number / 25) / 1_000)",
            "經度": "\(14.40 + Double(number % 25) / 1_000)",
          ]
        }, importedAt: Date(timeIntervalSince1970: 1_767_225_600))
    ])
    return [
      Portal(
        server: try LoopbackServer(serving: soda), path: "/resource/\(soda.dataset).json"
      ) { soda.rowCount },
      try fake(.arcGIS, "/rest/services/Trees/FeatureServer/0"),
      try fake(.ckan, "/dataset/rows"),
      try fake(.openDataSoft, "/explore/dataset/rows/table/"),
      Portal(
        server: try LoopbackServer(serving: taipei),
        path: "/api/v1/dataset/307a7f61-e302-4108-a817-877ccbfca7c1?scope=resourceAquire"
      ) { count },
    ]
  }

  static func run(printsJSON: Bool) async throws {
    var reports: [PortalReport] = []
    if !printsJSON {
      say(
        """
        A portal of each family, over HTTP on this machine, with \(grouped(count)) trees. Pages have at most 100 rows, and \
        trees are planted while they are read.

        """, indent: 0)
    }
    var table = Table("portal", "rows", "columns", "license", "stored", "nearest to 50.06,14.41")
    for portal in try portals() {
      let (report, near) = try await sync(portal)
      reports.append(report)
      table.add(
        report.family, report.rowCount.map(grouped) ?? "", "\(report.columns?.count ?? 0)",
        report.license.map { String($0.prefix(24)) } ?? "", report.stored.map(grouped) ?? "", near)
      await portal.server.stop()
      guard report.stored == portal.count() else {
        throw Narrator.BrokenPromise(
          message:
            "A promise doesn't hold: \(report.family) has \(portal.count()) rows, and \(report.stored ?? 0) are stored."
        )
      }
    }
    if printsJSON { return try JSONOutput.print(reports) }
    table.print()
    say("Paste an address of your own: day-out portal URL --sync --store FOLDER", indent: 0)
  }

  private static func sync(_ portal: Portal) async throws -> (PortalReport, String) {
    let address = portal.server.url.absoluteString + portal.path
    guard let url = URL(string: address) else { throw UsageError("\(address) isn't an address") }
    let dataset = try PortalDataset(url)
    let reader = PortalReader(
      dataset: dataset, transport: URLSessionTransport().retrying(.portal), storage: .inMemory,
      pageSize: 100)
    var report = PortalReport(dataset)
    let description = try await reader.describe()
    report.add(description, key: reader.key(of: description))
    let catalog = reader.rows(of: description)
    report.sync = PortalReport.Sync(try await catalog.refresh(.now))
    let view = try await catalog.view()
    report.stored = view.count
    let here = try Coordinate(latitude: 50.06, longitude: 14.41)
    let near = view.nearest(to: here, count: 1)
    report.rows = near.map { PortalReport.Row($0.record, meters: $0.distance.meters) }
    try await catalog.close()
    let text = near.first.map { "\($0.record.cells["species"] ?? ""), \($0.distance)" } ?? "-"
    return (report, text)
  }
}
