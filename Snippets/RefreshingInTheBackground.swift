//! Refreshing all kits when an app isn't on the screen.

// snippet.hide
import FieldKit
import Foundation

// snippet.show
// snippet.refresh
/// Refreshes the kits that are due by their schedule, and no board that nobody looks at. Returns `false` if one of them failed.
func refreshInBackground(_ field: Field) async -> Bool {
  var isComplete = true
  for await step in field.refreshAll(.scheduled) {
    if case .failed(let error) = step.outcome {
      print("\(step.kit) keeps its old data: \(error.message)")
      isComplete = false
    }
  }
  return isComplete
}
// snippet.end
// snippet.hide

#if canImport(BackgroundTasks) && os(iOS)
  import BackgroundTasks

  // snippet.show
  // snippet.schedule
  func schedule(_ field: Field, id: String) async throws {
    guard let next = try await field.nextRefreshDate else { return }
    let request = BGAppRefreshTaskRequest(identifier: id)
    request.earliestBeginDate = next
    try BGTaskScheduler.shared.submit(request)
  }
// snippet.end
// snippet.hide
#endif

#if canImport(SwiftUI) && os(iOS)
  import SwiftUI

  // snippet.show
  // snippet.scene
  struct ParkApp: App {
    let field = Field(storage: .application("park"), transport: URLSessionTransport())

    var body: some Scene {
      WindowGroup { Text("Park") }
        .backgroundTask(.appRefresh("org.example.park.refresh")) {
          do {
            try await schedule(field, id: "org.example.park.refresh")  // the next one
          } catch {
            print("the next refresh isn't scheduled: \(error)")
          }
          _ = await refreshInBackground(field)
        }
    }
  }
// snippet.end
// snippet.hide
#endif

func daemon(field: Field) async throws {
  // snippet.show
  // snippet.timer
  while let next = try await field.nextRefreshDate {
    try await Task.sleep(for: .seconds(max(60, next.timeIntervalSinceNow)))
    _ = await refreshInBackground(field)
  }
  // snippet.end
  // snippet.hide
}
