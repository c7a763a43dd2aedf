//! A city's tables from its server, from files, and by hand.

// snippet.hide
import FieldKit
import Foundation

func servingACity(folder: URL, base: URL, media: URL, tables: URL, row: Data) async throws {
  // snippet.show
  // snippet.service
  let service = CivicService(baseURL: base, mediaURL: media, project: "project_1450347754")
  let directory = CivicDirectory(
    service: service, storage: .directory(folder), transport: URLSessionTransport())
  // snippet.end

  // snippet.cities
  let chiayi = CivicDirectory(
    name: "chiayi", service: nil, feeds: [CityFeed(.news, at: base)], storage: .directory(folder),
    transport: URLSessionTransport())
  // snippet.end
  print(chiayi.name)

  // snippet.statuses
  let steps = directory.refreshProgress()
  let watcher = Task {
    for await step in steps {
      if let text = CivicTexts.text(for: step) { print(text.string(in: .traditionalChinese)) }
      if step.outcome != nil { break }
    }
  }
  do {
    let report = try await directory.refresh()
    print(report.added, report.updated, report.removed, report.failures)
  } catch let error as FieldError {
    print("as of", try await directory.lastRefresh as Any, error.message)
  }
  await watcher.value
  // snippet.end

  // snippet.shape
  let shape = CivicService.RequestShape { service, table, cursor in
    TransportRequest(
      url: service.baseURL.appending(path: "\(service.project)/\(table)/\(cursor)"),
      operation: "city.table")
  }
  // snippet.end
  print(CivicService(baseURL: base, project: "p", request: shape).tables)

  // snippet.files
  try await directory.importTables(in: tables)
  // snippet.end

  // snippet.hand
  try await directory.apply(row, to: .units)
  try await directory.edit { edit in
    try edit.create(CivicUnit(id: "desk", name: "市民服務台"))
    try edit.setCategories(["adminUnitCate_570c58976d8168_70845302"], of: "desk")
    try edit.create(CityActivity(id: "open", title: "開放日", published: Date()))
  }
  // snippet.end

  // snippet.export
  let json = try await directory.export().json()
  try await directory.restore(CivicSnapshot(json: json))
  // snippet.end

  // snippet.pictures
  for banner in try await directory.banners() {
    let picture = try await directory.image(for: banner)
    print(banner.name, picture?.data.count ?? 0)
  }
  // snippet.end

  // snippet.flags
  let old = LegacyLaunchFlags(["isAppLaunchBefore": true, "isMapLaunchBefore": false])
  try await directory.importLegacyData(old)
  // snippet.end
  // snippet.hide
}
