#if canImport(SwiftUI)
  import FieldKit
  import SwiftUI

  /// The record of README's first sample.
  struct Tree: CatalogRecord {
    let id: String
    let species: String?
    let height: Double?
    let coordinate: Coordinate?
    enum CodingKeys: String, CodingKey {
      case id = "treeid"
      case species = "qspecies"
      case height = "dbh"
      case coordinate
    }
    static let indexes: [RecordIndex<Tree>] = [.text(\.species), .order(\.height)]
  }

  /// The tallest trees, or those with a name, as README shows it.
  struct TreeList: View {
    @State private var trees: Live<[Tree]>
    @State private var text = ""
    private let catalog: Catalog<Tree>

    init(_ catalog: Catalog<Tree>) {
      self.catalog = catalog
      _trees = State(
        initialValue: Live(catalog) { $0.find(\.height, order: .descending, limit: 50) })
    }

    var body: some View {
      List(trees.value ?? []) { tree in Text(tree.species ?? "A tree") }
        .searchable(text: $text)
        .onChange(of: text) { _, text in trees.follow(catalog) { $0.search(text, limit: 50) } }
        .task { await trees.refresh() }
        .refreshable { await trees.refresh(.now) }
    }
  }
#endif
