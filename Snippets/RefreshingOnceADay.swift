//! Refreshing at the right time, from anywhere.

// snippet.hide
import FieldKit
import Foundation

final class Foreground: Sendable {
  let catalog: MeteoriteCatalog
  init(catalog: MeteoriteCatalog) { self.catalog = catalog }

  func report(_ error: any Error) {}

  // snippet.show
  // snippet.foreground
  func sceneWillEnterForeground() async {
    do {
      try await catalog.refresh()  // sends no request if not due
    } catch {
      report(error)  // the old data is still there
    }
  }
  // snippet.end
  // snippet.hide
}

struct BackgroundHandler {
  let catalog: MeteoriteCatalog
  var submit: @Sendable (_ earliestBegin: Date) throws -> Void

  // snippet.show
  // snippet.background
  func submitNext() async {
    do {
      if let date = try await catalog.nextRefreshDate { try submit(date) }
    } catch {
      print("the next refresh isn't scheduled: \(error)")
    }
  }
  // snippet.end
  // snippet.hide
}

func server(catalog: MeteoriteCatalog, clock: some FieldClock) async throws {
  // snippet.show
  // snippet.server
  while !Task.isCancelled {
    do {
      let report = try await catalog.refresh()
      print(report.outcome, report.added, report.updated, report.removed)
    } catch let error as FieldError {
      print(error)
    }
    guard let next = try await catalog.nextRefreshDate else { return }
    let wait = next.timeIntervalSince(clock.now)
    try await clock.sleep(for: .seconds(max(60, wait)))
  }
  // snippet.end
  // snippet.hide
}

func progress(catalog: MeteoriteCatalog) async {
  // snippet.show
  // snippet.progress
  for await step in catalog.refreshProgress() {
    print(step.phase, step.fractionCompleted)
    if case .failed(let error) = step.outcome { print(error.message) }
  }
  // snippet.end
  // snippet.hide
}

func interval(folder: URL) {
  // snippet.show
  // snippet.interval
  let catalog = MeteoriteCatalog(
    sources: Download<Meteorite>.nasa(transport: URLSessionTransport().retrying()),
    storage: .directory(folder),
    policy: RefreshPolicy(interval: .seconds(7 * 86_400)))
  // snippet.end
  // snippet.hide
  _ = catalog
}
