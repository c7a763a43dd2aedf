internal import FieldCore

/// A tree of a made-up city.
struct MadeTree: CatalogRecord, Hashable {
  let id: Int
  let species: String
  let height: Double?
  /// The generation of the portal that last changed the tree.
  let version: Int

  enum CodingKeys: String, CodingKey { case id = "treeid", species, height, version }
}

/// The trees of a portal, which change from one generation to the next, as a formula.
struct MadeTrees: Sendable {
  let rows: Int
  let generation: Int

  /// The number of trees in a block of 97, of which each generation fells one.
  private var perBlock: Int { 97 - generation }

  func contains(_ id: Int) -> Bool {
    let rest = id % 97
    return (0..<rows).contains(id) && (rest == 0 || rest > generation)
  }

  /// The number of trees.
  var count: Int {
    let rest = rows % 97
    return rows / 97 * perBlock + rest - min(generation, max(0, rest - 1))
  }

  /// Returns the ID of the tree at an offset.
  func id(at offset: Int) -> Int {
    let rest = offset % perBlock
    return offset / perBlock * 97 + (rest == 0 ? 0 : generation + rest)
  }

  /// Returns the trees from an ID on that meet a condition, at most as many as are asked for.
  func trees(
    from id: Int, limit: Int, where isWanted: (MadeTree) -> Bool = { _ in true }
  ) -> [MadeTree] {
    var trees: [MadeTree] = []
    var id = max(0, id)
    while id < rows, trees.count < limit {
      if contains(id) {
        let tree = tree(id)
        if isWanted(tree) { trees.append(tree) }
      }
      id += 1
    }
    return trees
  }

  func tree(_ id: Int) -> MadeTree {
    var version = 0
    for number in 0...generation where number > 0 && (id * 31 + number * 7) % 10 == 0 {
      version = number
    }
    return MadeTree(
      id: id, species: "species \(id % 101)", height: id % 7 == 0 ? nil : Double(id % 300) / 10,
      version: version)
  }
}
