//! Syncing a dataset of a Socrata portal.

// snippet.hide
import FieldKit
import Foundation

func any(folder: URL) async throws {
  // snippet.show
  // snippet.table
  let trees = SODATable(
    try SODADataset("5rq2-4hqu", at: "data.sfgov.org"), key: "treeid",
    storage: .directory(folder), transport: URLSessionTransport())
  let report = try await trees.refresh()
  print(report.outcome, report.added, report.updated, report.removed)
  for row in try await trees.rows() where row["qcaretaker"]?.text == "Private" {
    print(row.id, row["qspecies"]?.text ?? "", row["location"]?.coordinate as Any)
  }
  // snippet.end
  // snippet.hide
}

func meteorites(folder: URL) async throws {
  // snippet.show
  // snippet.meteorites
  let client = SODAClient(
    try SODADataset("gh4g-9sfh", at: "data.example.org"),
    transport: URLSessionTransport().retrying(.portal),
    token: SODAToken { ProcessInfo.processInfo.environment["SODA_APP_TOKEN"] })
  let catalog = MeteoriteCatalog(
    source: SODAMeteorites(
      client, where: "fall = \("Fell") AND mass >= \(1_000)", deletion: .byKeys),
    storage: .directory(folder))
  try await catalog.refresh()
  // snippet.end
  // snippet.hide
}

func asking(client: SODAClient, name: String, day: CalendarDay) async throws {
  // snippet.show
  // snippet.query
  struct Stone: Decodable, Sendable {
    var name: String
    var mass: Double?
    var year: CalendarDay?
  }
  let similar: SoQL = "starts_with(name, \(name)) OR recclass IN \(["L6", "H5"])"
  let query = SoQL.Query(
    select: "name, mass, year", where: "\(similar) AND year >= \(day)", order: "mass DESC",
    limit: 10)
  for try await stone in client.rows(query, as: Stone.self) {
    print(stone.name, stone.mass ?? 0)
  }
  print(try await client.count(where: similar))
  // snippet.end

  // snippet.groups
  let groups = SoQL.Query(
    select: "recclass, count(*) AS n, sum(mass) AS grams", where: "mass > \(0)", group: "recclass",
    order: "grams DESC", limit: 10)
  for try await row in client.rows(groups) {
    print(row["recclass"]?.text ?? "", row["n"]?.integer ?? 0, row["grams"]?.double ?? 0)
  }
  // snippet.end

  // snippet.pages
  let falls = SoQL.Query(where: "fall = \("Fell")")
  var token: SODAResumeToken?  // Codable: can be stored
  for try await page in client.pages(falls, size: 5_000, after: token) {
    print(page.rows.count, page.failures)
    token = page.next
  }
  // snippet.end
  // snippet.hide
}

func reporting(catalog: MeteoriteCatalog) async throws {
  // snippet.show
  // snippet.errors
  do {
    let report = try await catalog.refresh()
    for notice in report.notices { print(notice.message) }  // such as a refused token
  } catch let error as FieldError where error.code == .schema {
    print("a column no longer exists: \(error.message)")
  } catch let error as FieldError where error.code == .notFound {
    print("the dataset is retired, or the id is wrong: \(error.message)")
  } catch let error as FieldError {
    print("what is stored is as it was, or further: \(error)")
  }
  // snippet.end
  // snippet.hide
}
