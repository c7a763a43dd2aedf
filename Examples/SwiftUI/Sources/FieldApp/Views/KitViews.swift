#if canImport(SwiftUI)
  import FieldKit
  import SwiftUI

  /// The animals, with the reason why they may be old.
  struct ZooView: View {
    @State private var model: ZooModel

    init(_ zoo: Zoo) { _model = State(initialValue: ZooModel(zoo)) }

    var body: some View {
      List(model.entries) { entry in Text(entry.name) }
        .overlay {
          if model.entries.isEmpty {
            ContentUnavailableView("No animals yet", systemImage: "pawprint")
          }
        }
        .opacity(model.isStale ? 0.8 : 1)
        .safeAreaInset(edge: .bottom) { FailureText(error: model.error) }
        .task { await model.run() }
        .refreshable { await model.refresh(.now) }
    }
  }

  /// The trains that are entering a station.
  struct MetroView: View {
    @State private var model: MetroModel
    let station: String

    init(_ metro: Metro, station: String) {
      _model = State(initialValue: MetroModel(metro))
      self.station = station
    }

    var body: some View {
      List(model.arrivals) { arrival in Text(arrival.destinationName) }
        .safeAreaInset(edge: .top) { Text(model.age).font(.footnote) }
        .safeAreaInset(edge: .bottom) { FailureText(error: model.error) }
        .task { await model.run(at: station) }
    }
  }

  /// The heaviest meteorites.
  struct MeteoriteList: View {
    @State private var model: MeteoriteModel

    init(_ catalog: MeteoriteCatalog) { _model = State(initialValue: MeteoriteModel(catalog)) }

    var body: some View {
      List(model.heaviest) { meteorite in
        LabeledContent(meteorite.name, value: meteorite.classification.name)
      }
      .opacity(model.isStale ? 0.8 : 1)
      .safeAreaInset(edge: .bottom) { FailureText(error: model.error) }
      .task { await model.run() }
      .refreshable { await model.refresh(.now) }
    }
  }

  /// The pets and their walks.
  struct DiaryView: View {
    @State private var model: DiaryModel

    init(_ diary: WalkDiary) { _model = State(initialValue: DiaryModel(diary)) }

    var body: some View {
      List {
        Section("Pets") { ForEach(model.pets) { pet in Text(pet.name) } }
        Section("Walks") { ForEach(model.history) { row in Text(row.title.string()) } }
      }
      .safeAreaInset(edge: .bottom) { FailureText(error: model.error) }
      .task { await model.run() }
    }
  }

  /// The facilities of a city hall, and the news.
  struct CityView: View {
    @State private var model: CityModel

    init(_ city: CivicDirectory) { _model = State(initialValue: CityModel(city)) }

    var body: some View {
      List {
        Section("Facilities") { ForEach(model.facilities) { facility in Text(facility.name) } }
        Section("News") { ForEach(model.news) { item in Text(item.title) } }
      }
      .opacity(model.isStale ? 0.8 : 1)
      .safeAreaInset(edge: .bottom) { FailureText(error: model.error) }
      .task { await model.run() }
      .refreshable { await model.refresh(.now) }
    }
  }

  /// The reason why the data isn't newer and what to do about it, in the user's language; the data itself stays
  /// on the screen.
  struct FailureText: View {
    @Environment(\.locale) private var locale
    let error: FieldError?

    var body: some View {
      if let error {
        let text = error.localized(in: TextLanguage(rawValue: locale.identifier(.bcp47)))
        VStack(alignment: .leading) {
          Text(text.errorDescription ?? "").bold()
          Text(text.failureReason ?? "")
          Text(text.recoverySuggestion ?? "")
        }
        .font(.footnote).padding(8)
      }
    }
  }

  #Preview("Zoo") { if let field = try? Field.preview() { ZooView(field.zoo) } }

  #Preview("Metro") {
    if let field = try? Field.preview() { MetroView(field.metro, station: "台北車站") }
  }

  #Preview("Meteorites") {
    if let field = try? Field.preview() { MeteoriteList(field.meteorites) }
  }

  #Preview("Walks") {
    if let field = try? Field.preview() {
      DiaryView(field.walks).task {
        _ = try? await field.walks.register(PetRegistration(name: "Mesh"))
      }
    }
  }

  #Preview("City") { if let field = try? Field.preview() { CityView(field.civic) } }
#endif
