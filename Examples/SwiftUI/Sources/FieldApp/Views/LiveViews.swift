#if canImport(SwiftUI)
  import FieldKit
  import SwiftUI

  /// The heaviest meteorites, or those with a name, and the details of one.
  ///
  /// It needs no model: ``Live`` follows the query.
  struct MeteoriteSearch: View {
    @State private var found: Live<[Meteorite]>
    @State private var text = ""
    private let catalog: MeteoriteCatalog

    init(_ catalog: MeteoriteCatalog) {
      self.catalog = catalog
      _found = State(initialValue: Live(catalog) { $0.find(Self.query("")) })
    }

    private nonisolated static func query(_ text: String) -> MeteoriteQuery {
      MeteoriteQuery(text: text, order: .massDescending, limit: 50)
    }

    var body: some View {
      NavigationStack {
        List(found.value ?? []) { meteorite in
          NavigationLink(meteorite.name, value: meteorite.id)
        }
        .navigationDestination(for: Meteorite.ID.self) { id in
          MeteoriteDetail(catalog, id: id)
        }
        .searchable(text: $text)
        .onChange(of: text) { _, text in found.follow(catalog) { $0.find(Self.query(text)) } }
        .overlay { if found.isRefreshing { ProgressView() } }
        .safeAreaInset(edge: .bottom) { FailureText(error: found.error) }
        .task { await found.refresh() }
        .refreshable { await found.refresh(.now) }
      }
    }
  }

  /// One meteorite, which changes when a refresh changes it.
  struct MeteoriteDetail: View {
    @State private var meteorite: Live<Meteorite?>

    init(_ catalog: MeteoriteCatalog, id: Meteorite.ID) {
      _meteorite = State(initialValue: Live(catalog) { $0[id] })
    }

    var body: some View {
      if case .some(let meteorite?) = meteorite.value {
        LabeledContent(meteorite.name, value: meteorite.classification.name)
      } else {
        ContentUnavailableView("This meteorite isn't there anymore", systemImage: "sparkles")
      }
    }
  }

  /// The trains that are entering a station, until they are stale.
  struct StationTrains: View {
    @State private var trains: Live<[Arrival]>

    init(_ metro: Metro, station: String) {
      _trains = State(
        initialValue: Live(metro) { $0.arrivals(at: station, freshOnly: true) })
    }

    var body: some View {
      List(trains.value ?? []) { train in Text(train.destinationName) }
        .safeAreaInset(edge: .bottom) { FailureText(error: trains.error) }
        .task { await trains.refresh() }
        .refreshable { await trains.refresh(.now) }
    }
  }

  /// The latest walks of a pet, which a query reads from the diary.
  struct PetWalks: View {
    @State private var walks: Live<[Walk]>

    init(_ diary: WalkDiary, pet: Pet.ID) {
      _walks = State(initialValue: Live(diary) { try await $0.walks(of: pet).walks })
    }

    var body: some View {
      List(walks.value ?? []) { walk in Text(walk.distance.description) }
        .safeAreaInset(edge: .bottom) { FailureText(error: walks.error) }
    }
  }

  #Preview("Meteorites") {
    if let field = try? Field.preview() { MeteoriteSearch(field.meteorites) }
  }

  #Preview("Trains") {
    if let field = try? Field.preview() { StationTrains(field.metro, station: "台北車站") }
  }
#endif
