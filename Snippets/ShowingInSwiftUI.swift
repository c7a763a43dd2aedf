//! Views over a kit's model. They are compiled where SwiftUI exists.

// snippet.hide
import FieldFakes
import FieldKit
import Foundation
import Observation

@MainActor @Observable
final class ZooModel {
  private(set) var entries: [ZooEntry] = []
  private(set) var error: FieldError?
  var isStale: Bool { false }
  private let zoo: Zoo
  init(_ zoo: Zoo) { self.zoo = zoo }
  func run() async {}
  func refresh(_ when: RefreshTrigger = .ifDue) async {}
}

// snippet.show
// snippet.fake
/// A zoo for previews: one animal, no network, and nothing on disk.
func previewZoo() -> Zoo {
  let animals = TaipeiDataset.zooAnimals.resources[0].rawValue
  return Zoo(
    storage: .inMemory,
    transport: FakeTaipeiOpenData(datasets: [
      .init(animals, rows: [["A_Name_Ch": "大貓熊", "A_AlsoKnown": "熊貓"]])
    ]))
}
// snippet.end
// snippet.hide

#if canImport(Observation)
  @MainActor
  func live(_ field: Field, pet: Pet.ID) {
    // snippet.show
    // snippet.live
    let trains = Live(field.metro) { $0.arrivals(at: "台北車站", freshOnly: true) }
    let walks = Live(field.walks) { try await $0.walks(of: pet).walks }
    // snippet.end
    // snippet.hide
    print(trains.value as Any, walks.value as Any)
  }
#endif

#if canImport(SwiftUI)
  import SwiftUI

  // snippet.show
  // snippet.view
  struct ZooList: View {
    @State private var model: ZooModel

    init(zoo: Zoo) { _model = State(initialValue: ZooModel(zoo)) }

    var body: some View {
      List(model.entries) { entry in Text(entry.name) }
        .overlay {
          if model.entries.isEmpty {
            ContentUnavailableView("No animals yet", systemImage: "pawprint")
          }
        }
        .safeAreaInset(edge: .bottom) {
          if let error = model.error { FailureText(error: error) }
        }
        .opacity(model.isStale ? 0.8 : 1)
        .task { await model.run() }
        .refreshable { await model.refresh(.now) }
    }
  }
  // snippet.end

  // snippet.failure
  struct FailureText: View {
    @Environment(\.locale) private var locale
    let error: FieldError

    var body: some View {
      let text = error.localized(in: TextLanguage(rawValue: locale.identifier(.bcp47)))
      VStack(alignment: .leading) {
        Text(text.errorDescription ?? "").bold()
        Text(text.failureReason ?? "")
        Text(text.recoverySuggestion ?? "")
      }
      .font(.footnote)
    }
  }
  // snippet.end

  // snippet.preview
  #Preview { ZooList(zoo: previewZoo()) }
// snippet.end
// snippet.hide
#endif
