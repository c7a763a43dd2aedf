#if canImport(BackgroundTasks) && canImport(SwiftUI) && os(iOS)
  import BackgroundTasks
  import FieldKit
  import SwiftUI

  // Needs: the identifier in BGTaskSchedulerPermittedIdentifiers in Info.plist, and the background mode `fetch`.

  private let refreshID = "org.example.field.refresh"

  /// An app whose kits are refreshed when they are due, even if it isn't on the screen.
  struct FieldApp: App {
    let field = Field(storage: .application("field"), transport: URLSessionTransport())

    var body: some Scene {
      WindowGroup { ZooView(field.zoo) }
        .backgroundTask(.appRefresh(refreshID)) {
          try? await scheduleRefresh(of: field)
          // If the system ends the task early, pages that were committed stay.
          for await step in field.refreshAll(.scheduled) {
            if case .failed(let error) = step.outcome { print("\(step.kit): \(error.message)") }
          }
        }
    }
  }

  /// Schedules the next refresh; call it when the app enters the background, too.
  func scheduleRefresh(of field: Field) async throws {
    guard let next = try await field.nextRefreshDate else { return }
    let request = BGAppRefreshTaskRequest(identifier: refreshID)
    request.earliestBeginDate = next
    try BGTaskScheduler.shared.submit(request)
  }
#endif
