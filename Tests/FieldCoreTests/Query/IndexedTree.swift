import FieldCore
import TestSupport

/// A record with a field for each kind of index.
struct IndexedTree: CatalogRecord, Hashable {
  let id: Int
  var name: String
  var species: String?
  var height: Double?
  var girth: Double
  var planted: Int
  var coordinate: Coordinate?

  var searchText: String { name }

  /// An index of each kind, and of each kind of value.
  static var allIndexes: [RecordIndex<IndexedTree>] {
    [
      .text(\.name), .place(\.coordinate), .order(\.height), .order(\.girth), .order(\.planted),
      .order(\.species), .value(\.species), .value(\.planted), .value(\.girth), .value(\.height),
    ]
  }

  /// Returns a random tree, with values that are missing, equal, and no numbers.
  static func random(_ id: Int, _ chance: inout SeededGenerator) -> IndexedTree {
    let words = ["Ginkgo", "biloba", "Ulmus", "Österreich", "臺北", "台", "rare", "oak", "", "a"]
    let species = [nil, "", "Ginkgo biloba", "Quercus", "quercus", "樟樹", "Ulmus", "Tilia"]
    let heights: [Double?] = [nil, nil, 0, -0.0, 1, 2.5, 30, .infinity, -.infinity, .nan]
    let name = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
      words.randomElement(using: &chance) ?? ""
    }
    return IndexedTree(
      id: id, name: name.joined(separator: " "),
      species: species.randomElement(using: &chance) ?? nil,
      height: Bool.random(using: &chance)
        ? heights.randomElement(using: &chance) ?? nil
        : .random(in: 0...40, using: &chance),
      girth: [0, 1, 1, 2, 5, .nan].randomElement(using: &chance) ?? 0,
      planted: .random(in: 1_900...1_930, using: &chance),
      coordinate: Int.random(in: 0..<4, using: &chance) == 0
        ? nil
        : try? Coordinate(
          latitude: Double(Int.random(in: 48...52, using: &chance)) / 2,
          longitude: Double(Int.random(in: 120...122, using: &chance))))
  }

  static func == (left: IndexedTree, right: IndexedTree) -> Bool {
    // Bit by bit, so that a tree with NaN equals itself.
    left.id == right.id && left.name == right.name && left.species == right.species
      && left.height?.bitPattern == right.height?.bitPattern
      && left.girth.bitPattern == right.girth.bitPattern && left.planted == right.planted
      && left.coordinate == right.coordinate
  }
}

/// A query and its result, computed from an array of all records.
struct TreeQuery: CustomStringConvertible {
  let description: String
  let run: (CatalogView<IndexedTree>) -> [Int]
  let model: ([IndexedTree]) -> [Int]

  /// Returns a random query of any kind.
  static func random(_ chance: inout SeededGenerator) -> TreeQuery {
    let order: ValueOrder = Bool.random(using: &chance) ? .ascending : .descending
    let limit = [0, 1, 3, 20, 1_000, .max, -1].randomElement(using: &chance) ?? 0
    let height = ValueRange<Double>.random(
      among: [nil, 0, -0.0, 1, 2.5, 17, 30, .infinity, -.infinity, .nan], &chance)
    let year = ValueRange<Int>.random(among: [nil, 1_899, 1_905, 1_910, 1_929], &chance)
    let isWhole = Int.random(in: 0..<4, using: &chance) == 0
    switch Int.random(in: 0..<14, using: &chance) {
    case 0:
      return TreeQuery("height in \(isWhole ? "all" : "\(height)") \(order) \(limit)") {
        $0.find(\.height, in: isWhole ? nil : height, order: order, limit: limit).map(\.id)
      } model: {
        sorted($0, by: \.height, in: isWhole ? nil : height, order, limit)
      }
    case 1:
      return TreeQuery("planted in \(isWhole ? "all" : "\(year)") \(order) \(limit)") {
        $0.find(\.planted, in: isWhole ? nil : year, order: order, limit: limit).map(\.id)
      } model: {
        sorted($0, by: { $0.planted }, in: isWhole ? nil : year, order, limit)
      }
    case 2:
      return TreeQuery("girth \(order) \(limit)") {
        $0.find(\.girth, order: order, limit: limit).map(\.id)
      } model: {
        sorted($0, by: { $0.girth }, in: nil, order, limit)
      }
    case 3:
      return TreeQuery("species in A..<Tilia \(order) \(limit)") {
        $0.find(\.species, in: "A"..<"Tilia", order: order, limit: limit).map(\.id)
      } model: {
        sorted($0, by: \.species, in: ("A"..<"Tilia").valueRange, order, limit)
      }
    case 4:
      return TreeQuery("count of height in \(height)") {
        [$0.count(\.height, in: height)]
      } model: {
        [sorted($0, by: \.height, in: height, .ascending, .max).count]
      }
    case 5:
      return TreeQuery("count of planted in \(year)") {
        [$0.count(\.planted, in: year)]
      } model: {
        [sorted($0, by: { $0.planted }, in: year, .ascending, .max).count]
      }
    case 6:
      let species = [nil, "", "quercus", "樟樹", "none"].randomElement(using: &chance) ?? nil
      return TreeQuery("species equals \(species ?? "nil") \(limit)") {
        $0.find(\.species, equals: species, limit: limit).map(\.id)
          + [$0.count(\.species, equals: species)]
      } model: { trees in
        let found = trees.filter { $0.species == species }
        return found.prefix(Swift.max(0, limit)).map(\.id) + [found.count]
      }
    case 7:
      let girth: Double = [0, 1, 2, 7, .nan].randomElement(using: &chance) ?? 0
      return TreeQuery("girth equals \(girth) \(limit)") {
        $0.find(\.girth, equals: girth, limit: limit).map(\.id) + [$0.count(\.girth, equals: girth)]
      } model: { trees in
        let found = trees.filter { $0.girth == girth }
        return found.prefix(Swift.max(0, limit)).map(\.id) + [found.count]
      }
    case 8:
      let wanted: Double? = [nil, -0.0, 30, .nan, .infinity].randomElement(using: &chance) ?? nil
      return TreeQuery("height equals \(String(describing: wanted)) \(limit)") {
        $0.find(\.height, equals: wanted, limit: limit).map(\.id)
      } model: {
        $0.filter { $0.height == wanted }.prefix(Swift.max(0, limit)).map(\.id)
      }
    case 9:
      let year = Int.random(in: 1_899...1_931, using: &chance)
      return TreeQuery("count of planted equals \(year)") {
        [$0.count(\.planted, equals: year)]
      } model: { trees in
        [trees.count { $0.planted == year }]
      }
    case 10, 11:
      let text =
        ["ginkgo", "a", "台", "臺北 österr", "", " ", "o", "nothing"]
        .randomElement(using: &chance) ?? ""
      return TreeQuery("search for \(text) \(limit)") {
        $0.search(text, limit: limit).map(\.id) + [$0.count(matching: text)]
      } model: { trees in
        let folded = TextFolding.fold(text)
        let found = trees.filter { !folded.isEmpty && TextFolding.contains(folded, in: $0.name) }
        return found.prefix(Swift.max(0, limit)).map(\.id) + [found.count]
      }
    case 12:
      let latitude = Double.random(in: 23...27, using: &chance)
      let count = [0, 1, 5, 40, 200].randomElement(using: &chance) ?? 1
      guard let here = try? Coordinate(latitude: latitude, longitude: 120.5) else {
        preconditionFailure("The latitude is in range.")
      }
      return TreeQuery("\(count) nearest to \(here)") {
        $0.nearest(to: here, count: count) { $0.planted.isMultiple(of: 2) }.map(\.id)
          + $0.records(within: .kilometers(60), of: here).map(\.id)
      } model: { trees in
        let all = trees.enumerated().compactMap { place, tree in
          tree.coordinate.map { (place: place, tree: tree, distance: $0.distance(to: here)) }
        }
        let nearest = all.filter { $0.tree.planted.isMultiple(of: 2) }.sorted {
          $0.distance == $1.distance ? $0.place < $1.place : $0.distance < $1.distance
        }
        return nearest.prefix(count).map(\.tree.id)
          + all.filter { $0.distance <= .kilometers(60) }.map(\.tree.id)
      }
    default:
      let least = Int.random(in: 1_900...1_930, using: &chance)
      return TreeQuery("planted from \(least) by height \(order) \(limit)") {
        $0.find(where: { $0.planted >= least }, order: \.height, order, limit: limit).map(\.id)
          + $0.find(where: { $0.planted >= least }, order: \.girth, order, limit: limit).map(\.id)
      } model: { trees in
        let found = trees.filter { $0.planted >= least }
        return sorted(found, by: \.height, in: nil, order, limit)
          + sorted(found, by: { $0.girth }, in: nil, order, limit)
      }
    }
  }

  private init(
    _ description: String, run: @escaping (CatalogView<IndexedTree>) -> [Int],
    model: @escaping ([IndexedTree]) -> [Int]
  ) {
    (self.description, self.run, self.model) = (description, run, model)
  }

  /// Returns the IDs of records in the order of a value, with ties and those without a value in the order of the array.
  private static func sorted<Value: Comparable & Hashable>(
    _ trees: [IndexedTree], by value: (IndexedTree) -> Value?, in range: ValueRange<Value>?,
    _ order: ValueOrder, _ limit: Int
  ) -> [Int] {
    typealias Entry = (place: Int, value: Value)
    var valued: [Entry] = []
    var others: [Int] = []
    for (place, tree) in trees.enumerated() {
      guard let value = value(tree), value == value else {
        others.append(place)
        continue
      }
      if let range {
        if let lower = range.lower, !(value >= lower) { continue }
        if let upper = range.upper, !(range.includesUpper ? value <= upper : value < upper) {
          continue
        }
      }
      valued.append((place, value))
    }
    valued.sort { left, right in
      if left.value == right.value { return left.place < right.place }
      return order == .ascending ? left.value < right.value : left.value > right.value
    }
    let places = valued.map(\.place) + (range == nil ? others : [])
    return places.prefix(Swift.max(0, limit)).map { trees[$0].id }
  }
}

extension ValueRange {
  fileprivate static func random(
    among bounds: [Value?], _ chance: inout SeededGenerator
  ) -> ValueRange {
    ValueRange(
      lower: bounds.randomElement(using: &chance) ?? nil,
      upper: bounds.randomElement(using: &chance) ?? nil,
      includesUpper: .random(using: &chance))
  }
}
