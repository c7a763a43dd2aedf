#if canImport(MapKit) && canImport(SwiftUI)
  import FieldKit
  import MapKit
  import SwiftUI

  /// The trees around a place, as a refresh changes them.
  struct TreeMap: View {
    @State private var trees: Live<[Tree]>

    init(_ catalog: Catalog<Tree>, around place: Coordinate) {
      _trees = State(
        initialValue: Live(catalog) {
          $0.nearest(to: place, count: 200).map(\.record)
        })
    }

    var body: some View {
      Map {
        ForEach(trees.value ?? []) { tree in
          if let coordinate = tree.coordinate {
            Marker(
              tree.species ?? "A tree", systemImage: "tree", coordinate: coordinate.location)
          }
        }
      }
      .task { await trees.refresh() }
    }
  }
#endif
