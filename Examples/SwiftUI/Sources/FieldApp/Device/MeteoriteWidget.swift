#if canImport(WidgetKit) && canImport(SwiftUI)
  import FieldKit
  import SwiftUI
  import WidgetKit

  // Needs: a widget extension, and the capability App Groups with one group for the app and the extension. The
  // app opens its field in the same directory: Field(storage: .directory(group), …).

  /// Reads what the app has stored. It takes no lock, writes nothing, and sends no request.
  struct MeteoriteProvider: TimelineProvider {
    struct Entry: TimelineEntry {
      var date: Date
      var name: String
    }

    let group: URL

    func placeholder(in context: Context) -> Entry { Entry(date: .now, name: "Hoba") }

    func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void) {
      Task { completion(await entry()) }
    }

    func getTimeline(
      in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void
    ) {
      Task { completion(Timeline(entries: [await entry()], policy: .after(.now + 3_600))) }
    }

    private func entry() async -> Entry {
      let catalog = MeteoriteCatalog(
        storage: .directory(group, access: .readOnly), transport: URLSessionTransport())
      let heaviest = try? await catalog.view().find(
        MeteoriteQuery(order: .massDescending, limit: 1))
      return Entry(date: .now, name: heaviest?.first?.name ?? "—")
    }
  }
#endif
