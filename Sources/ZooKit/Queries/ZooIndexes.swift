internal import FieldCore

/// The indexes of a view, each of which the first query that needs it makes, and later views update.
struct ZooIndexes: Sendable {
  private typealias Kept<Index: Sendable> = KeptIndex<ZooRecord, Index>

  /// The places of the animals by position, with an entry for each place, and the greatest number
  /// of places of one animal.
  typealias AnimalPlaces = (index: SpatialIndex, mostOfOne: Int)

  private let keptText: Kept<TextIndex>
  private let keptPlantText: Kept<TextIndex>
  private let keptAnimalPlaces: Kept<AnimalPlaces>
  private let keptAreaPlaces: Kept<SpatialIndex>
  private let keptSpecies: Kept<[Species]>
  private let keptAreaNames: Kept<ZooAreaNames>
  private let keptAnimalsOfAreas: Kept<[[Int]]>
  private let keptEntries: Kept<[ZooEntry]>

  init(of content: ZooContent, in store: IndexedSnapshot<ZooRecord>, after earlier: ZooIndexes?) {
    keptText = Self.text(of: content.animals, .animals, in: store, after: earlier?.keptText)
    keptPlantText = Self.text(
      of: content.plants, .plants, in: store, after: earlier?.keptPlantText)
    keptAnimalPlaces = Self.kept(in: store, after: earlier?.keptAnimalPlaces) {
      (
        Self.index(of: content.animals.all.lazy.map(\.places)),
        content.animals.all.lazy.map(\.places.count).max() ?? 0
      )
    } isCurrent: {
      $0.keepEqual(in: .animals, \.animal?.places)
    }
    keptAreaPlaces = Self.kept(in: store, after: earlier?.keptAreaPlaces) {
      Self.index(of: content.areas.all.lazy.map(\.places))
    } isCurrent: {
      $0.keepEqual(in: .areas, \.area?.places)
    }
    keptSpecies = Kept(of: store, after: earlier?.keptSpecies, price: 0) { _ in
      Species.species(of: content.animals.all)
    } update: { species, changes in
      changes.replacements(in: .animals).flatMap { Species.species(species, replacing: $0) }
        ?? Species.species(of: content.animals.all)
    }
    let areaNames = Self.kept(in: store, after: earlier?.keptAreaNames) {
      ZooAreaNames(of: content.areas.all, aliases: content.aliases)
    } isCurrent: {
      $0.keepEqual(in: .areas, \.area?.name)
    }
    keptAreaNames = areaNames
    keptAnimalsOfAreas = Self.kept(in: store, after: earlier?.keptAnimalsOfAreas) {
      let names = areaNames.index
      var animals = [[Int]](repeating: [], count: content.areas.all.count)
      for (position, animal) in content.animals.all.enumerated() {
        for area in Set(animal.locations.compactMap(names.position)) {
          animals[area].append(position)
        }
      }
      return animals
    } isCurrent: {
      $0.keepEqual(in: .areas, \.area?.name) && $0.keepEqual(in: .animals, \.animal?.locationText)
    }
    keptEntries = Self.kept(in: store, after: earlier?.keptEntries) {
      content.animals.all.enumerated().map { position, animal in
        let picture = animal.pictureLink().map { ZooPicture.remote($0.secureURL) }
        return ZooEntry(sequence: position, content: .animal(animal), picture: picture)
      }
    } isCurrent: {
      $0.replacements(in: .animals)?.isEmpty ?? false
    }
  }

  /// The folded names of the animals, by position.
  var text: TextIndex { keptText.index }

  /// The folded names of the plants, by position.
  var plantText: TextIndex { keptPlantText.index }

  /// The places of the animals, by position.
  var animalPlaces: AnimalPlaces { keptAnimalPlaces.index }

  /// The places of the areas, by position.
  var areaPlaces: SpatialIndex { keptAreaPlaces.index }

  /// The species, in the order in which their animals first occur.
  var species: [Species] { keptSpecies.index }

  /// The names of the areas.
  var areaNames: ZooAreaNames { keptAreaNames.index }

  /// The positions of the animals in each area.
  var animalsOfAreas: [[Int]] { keptAnimalsOfAreas.index }

  /// The animals as entries of a list, numbered by position, with the secure URLs of their pictures.
  var entries: [ZooEntry] { keptEntries.index }

  // MARK: Making and updating

  /// Returns an index that is made again unless `isCurrent` says that the changes don't concern it.
  private static func kept<Index: Sendable>(
    in store: IndexedSnapshot<ZooRecord>, after earlier: Kept<Index>?,
    _ build: @escaping @Sendable () -> Index,
    isCurrent: @escaping @Sendable (SlotChanges<ZooRecord>) -> Bool
  ) -> Kept<Index> {
    Kept(of: store, after: earlier, price: 0) { _ in
      build()
    } update: { index, changes in
      isCurrent(changes) ? index : build()
    }
  }

  private static func text<Row: Organism & Identifiable & Sendable>(
    of rows: ZooRows<Row>, _ table: ZooTable, in store: IndexedSnapshot<ZooRecord>,
    after earlier: Kept<TextIndex>?
  ) -> Kept<TextIndex> where Row.ID == RecordID<Row> {
    let build = { @Sendable in TextIndex(SubstringIndex(rows.all.lazy.map(\.searchText))) }
    return Kept(of: store, after: earlier, price: 0) { _ in
      build()
    } update: { index, changes in
      guard let replacements = changes.replacements(in: table) else { return build() }
      let positions = replacements.compactMap { replacement -> Int32? in
        guard let key = replacement.after.id.key else { return nil }
        return rows.positions[Row.ID(rawValue: key)].map { Int32(truncatingIfNeeded: $0) }
      }
      return index.updated(at: positions.sorted(), limit: rows.all.count) {
        [rows.all[Int($0)].searchText]
      }
    }
  }

  /// Returns an index of the places of each position, with an entry for each place.
  private static func index(of places: some Sequence<[Coordinate]>) -> SpatialIndex {
    SpatialIndex(
      places.enumerated().flatMap { position, places in
        places.map { (key: Int32(position), coordinate: $0) }
      })
  }
}

extension SlotChanges<ZooRecord> {
  /// Returns whether no row of a table was added, removed, or moved, or has another value now.
  fileprivate func keepEqual<Value: Equatable>(
    in table: ZooTable, _ value: (ZooRecord) -> Value
  ) -> Bool {
    replacements(in: table)?.allSatisfy { value($0.before) == value($0.after) } ?? false
  }
}

extension ZooRecord {
  /// The animal that the record contains; `nil` if it contains something else.
  var animal: Animal? { if case .animal(let animal) = content { animal } else { nil } }

  /// The area that the record contains; `nil` if it contains something else.
  var area: ZooArea? { if case .area(let area) = content { area } else { nil } }
}

extension Species {
  /// Returns the species with animals in the places of those with the same IDs, or `nil` if one belongs to another
  /// species than before.
  fileprivate static func species(
    _ all: [Species], replacing rows: [(before: ZooRecord, after: ZooRecord)]
  ) -> [Species]? {
    var next = all
    for row in rows {
      guard let before = row.before.animal, let after = row.after.animal else { return nil }
      let id = after.speciesID
      guard before.speciesID == id, let species = next.firstIndex(where: { $0.id == id }),
        let place = next[species].animals.firstIndex(where: { $0.id == after.id })
      else { return nil }
      next[species].animals[place] = after
    }
    return next
  }
}
