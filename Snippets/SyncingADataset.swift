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
      client, where: SoQL.column("fall") == "Fell" && SoQL.column("mass") >= 1_000,
      deletion: .byKeys),
    storage: .directory(folder))
  try await catalog.refresh()
  // snippet.end
  // snippet.hide
}

func asking(client: SODAClient) async throws {
  // snippet.show
  // snippet.query
  let mass = SoQL.column("mass")
  let heaviest = SoQL.Query(
    select: ["recclass", .count(named: "n"), mass.sum.named("grams")],
    where: mass > 0, group: [SoQL.column("recclass")], order: [SoQL.column("grams").descending],
    limit: 10)
  for try await row in client.rows(heaviest) {
    print(row["recclass"]?.text ?? "", row["n"]?.integer ?? 0, row["grams"]?.double ?? 0)
  }
  // snippet.end

  // snippet.pages
  let falls = SoQL.Query(where: SoQL.column("fall") == "Fell")
  var token: SODAResumeToken?  // Codable: can be stored
  for try await page in client.pages(falls, size: 5_000, after: token) {
    print(page.rows.count, page.failures)
    token = page.next
  }
  // snippet.end
  // snippet.hide
}

func pushing(client: SODAClient) async throws {
  // snippet.show
  // snippet.compiled
  let query = MeteoriteQuery(fall: .fell, years: 2011..., text: "sołt", order: .massDescending)
  let pushed = query.soql()
  print(pushed.query.statement)  // the query that the portal receives
  print(pushed.isExact)  // false: the text and the order are evaluated on the device
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
