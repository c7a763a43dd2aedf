import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

/// The record of the article "Getting started in five minutes", as in its program.
private struct Landing: CatalogRecord {
  let id: Int
  let name: String
  let mass: Double?
  let coordinate: Coordinate?

  enum CodingKeys: String, CodingKey {
    case id, name, coordinate
    case mass = "mass (g)"
  }
  static let indexes: [RecordIndex<Landing>] = [.text(\.name), .order(\.mass)]
}

@Suite("The guide to getting started")
struct GettingStarted {
  private let url = URL(filePath: "/landings.csv")

  // snippet.stub
  @Test("the first refresh fetches the landings, and the second sends no request")
  func refreshing() async throws {
    let rows = "name,id,mass (g),GeoLocation\nAachen,1,21,\"(50.775, 6.08333)\"\n"
    let transport = StubTransport { $0.on("landings.rows", respond: .text(rows)) }
    let landings = Catalog<Landing>(
      "landings", at: url, storage: .inMemory, transport: transport, clock: ManualClock())

    try await landings.refresh()
    let second = try await landings.refresh()

    #expect(try await landings.view()[1]?.mass == 21)
    #expect(second.outcome == .notDue)
    #expect(transport.requests(for: "landings.rows").count == 1)
  }
  // snippet.end

  @Test(
    "the program prints what the article shows",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func output() async throws {
    let file = SharedData.url("meteor/full_legacy_Meteorite_Landings_2025.csv")
    let landings = Catalog<Landing>(
      "landings", sources: [FileRows<Landing>(file)], storage: .inMemory)
    var lines = ["\(try await landings.refresh())"]
    let view = try await landings.view()
    let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
    for near in view.nearest(to: bratislava, count: 5) {
      lines.append("\(near.record.name) \(near.distance)")
    }
    for heavy in view.find(\.mass, order: .descending, limit: 3) {
      lines.append("\(heavy.name) \(heavy.mass ?? 0)")
    }
    lines.append("\(view.search("yamato").count) from the Yamato Mountains")
    let article = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path:
          "../../../Sources/FieldKit/FieldKit.docc/Getting-started-in-five-minutes.md"
      ), encoding: .utf8)
    #expect(article.contains("```\n" + lines.joined(separator: "\n") + "\n```"), "\(lines)")
  }
}
