//! One catalog for all requests, refreshed in the background, and closed at the end.

// snippet.hide
import FieldKit
import Foundation

// snippet.show
// snippet.service
/// The data of a server: one catalog for all requests, and the loop that refreshes it.
struct Meteorites: Sendable {
  let catalog: MeteoriteCatalog

  init(transport: any Transport) {
    catalog = MeteoriteCatalog(storage: .application("meteorites"), transport: transport)
  }

  /// Refreshes the catalog whenever it is due, until the task is canceled.
  func run() async throws {
    while true {
      do { print(try await catalog.refresh()) } catch let error as FieldError { print(error) }
      let next = try await catalog.nextRefreshDate ?? .now
      try await Task.sleep(for: .seconds(max(60, next.timeIntervalSinceNow)))
    }
  }

  /// Answers a request from memory, without locks and without I/O.
  func names(matching text: String) async throws -> [String] {
    try await catalog.view().find(MeteoriteQuery(text: text, limit: 20)).map(\.name)
  }
}
// snippet.end

// snippet.health
struct Health: Codable {
  var isReady: Bool
  var lastRefresh: Date?
}

func health(of catalog: MeteoriteCatalog) async throws -> Health {
  let view = try await catalog.view()
  return Health(isReady: view.count > 0, lastRefresh: try await catalog.lastRefresh)
}
// snippet.end

// snippet.observe
func observedCatalog(in folder: URL, transport: any Transport) -> MeteoriteCatalog {
  let observer = FieldObserver { event in
    if event.level >= .info { print(event) }  // refresh meteorites #3 ended, updated, 1520.0 ms, …
  }
  return MeteoriteCatalog(
    storage: .directory(folder).observed(by: observer),
    transport: transport.logging { event in print(event) })
}
// snippet.end

// snippet.shutdown
func serve(_ data: Meteorites, accept: @escaping @Sendable () async throws -> Void) async throws {
  try await data.catalog.open()  // a damaged file is an error now, not at the first request
  try await withThrowingTaskGroup { group in
    group.addTask { try await data.run() }
    group.addTask { try await accept() }
    try await group.next()  // the first task to end, such as at SIGTERM, ends the other
    group.cancelAll()
  }
  try await data.catalog.close()
}
// snippet.end
