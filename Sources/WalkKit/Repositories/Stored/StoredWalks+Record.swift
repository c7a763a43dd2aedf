public import FieldCore

extension StoredWalks {
  /// A record of a diary's store: a pet, a walk, a place or the owner's choice.
  ///
  /// They are in one store so that what belongs together is changed in one commit.
  public struct Record: StoredRecord, Hashable {
    /// What the record holds.
    package var content: Content

    /// One of a diary's tables.
    package enum Content: Hashable, Codable, Sendable {
      case pet(Pet)
      case walk(Walk)
      case place(Place)
      case choice(Pet.ID?)
    }

    package init(_ content: Content) { self.content = content }

    /// The table and the id in it.
    public var id: String {
      switch content {
      case .pet(let pet): Self.id(of: pet.id)
      case .walk(let walk): Self.id(of: walk.id)
      case .place(let place): Self.id(of: place.id)
      case .choice: Self.choice
      }
    }

    static let choice = "c"
    static func id(of pet: Pet.ID) -> String { "p\(pet.rawValue)" }
    static func id(of walk: Walk.ID) -> String { "w\(walk.rawValue)" }
    static func id(of place: Place.ID) -> String { "g\(place.rawValue)" }

    /// The name of the type in store files.
    public static var storedName: String { "WalkDiary" }

    /// The blobs that the record refers to.
    var blobs: [BlobID] {
      switch content {
      case .pet(let pet): [pet.photo?.blob].compactMap { $0 }
      case .walk(let walk): (walk.photos.map(\.blob) + [walk.routeBlob]).compactMap { $0 }
      case .place, .choice: []
      }
    }
  }
}

extension StoredWalks.Record {
  private enum Table: UInt8 { case pet = 1, walk, place, choice }

  /// Writes the record compactly: thousands of walks are read each time that a diary is opened.
  public func write(to writer: inout RecordWriter) throws {
    switch content {
    case .pet(let pet):
      writer.write(byte: Table.pet.rawValue)
      pet.write(to: &writer)
    case .walk(let walk):
      writer.write(byte: Table.walk.rawValue)
      walk.write(to: &writer)
    case .place(let place):
      writer.write(byte: Table.place.rawValue)
      place.write(to: &writer)
    case .choice(let pet):
      writer.write(byte: Table.choice.rawValue)
      writer.write(pet?.rawValue)
    }
  }

  /// Reads a record.
  public init(reading reader: inout RecordReader) throws {
    switch Table(rawValue: try reader.byte()) {
    case .pet: content = .pet(try Pet(reading: &reader))
    case .walk: content = .walk(try Walk(reading: &reader))
    case .place: content = .place(try Place(reading: &reader))
    case .choice: content = .choice(try reader.optionalString().map { Pet.ID(rawValue: $0) })
    case nil: throw reader.damaged("a record of no known table")
    }
  }
}
