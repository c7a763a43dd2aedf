#if canImport(SwiftUI)
  import FieldKit
  import SwiftUI

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

  /// One tree, with what a refresh changes; `nil` once the city no longer lists it.
  struct TreeDetail: View {
    @State private var tree: Live<Tree?>

    init(_ catalog: Catalog<Tree>, id: Tree.ID) {
      _tree = State(initialValue: Live(catalog) { $0[id] })
    }

    var body: some View {
      if case .some(let tree?) = tree.value {
        LabeledContent(tree.species ?? "A tree", value: tree.height.map { "\($0)″" } ?? "—")
      } else {
        ContentUnavailableView("This tree isn't there anymore", systemImage: "tree")
      }
    }
  }

  #Preview("Trees") { TreeList(.preview()) }
  #Preview("A tree") { TreeDetail(.preview(), id: "1") }
#endif
