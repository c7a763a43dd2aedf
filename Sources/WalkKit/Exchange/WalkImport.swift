public import FieldCore
public import FieldFoundation

/// Pets and walks from a document of the old app.
///
/// ```swift
/// let old = try WalkImport(reading: try Data(contentsOf: file))
/// print(old.pets.count, old.walks.count)
/// for problem in old.problems { print(problem) }
/// ```
///
/// The document is JSON as the old app's README draws it, pets with their walks inside:
///
/// ```json
/// {"Pets": [{"name": "mesh", "breed": "welshcorgi", "birth": "2020-01-01", "gender": "M",
///   "profileURL": "https://…", "weight": 10,
///   "walks": [{"date": "2020-02-14 19:18:00", "duration": 3209, "weather": "맑음", "dust": "좋음",
///     "images": ["https://…"]}]}]}
/// ```
///
/// Also read are an array of pets, one pet alone, collections as objects by document id (with or without
/// `__collections__`, as export tools write them), and the typed values of Firestore's own interface.
/// Names of keys are compared without regard to case; numbers may be text. Times are Seoul's unless they
/// state another zone.
///
/// A value that cannot be read is left out and is among ``problems``, and so is what is no pet or no
/// walk at all; everything else is there. A walk whose date is blank is kept as
/// ``Walk/isUndated``. What the old app did not have a key for is not kept; ``unknownKeys`` names it.
///
/// The same document always gives the same ids: those under `key` when they are there, and ones made
/// of the content otherwise; so importing it again adds nothing.
public struct WalkImport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The pets, in the order of the document.
  public let pets: [Pet]
  /// The walks, in the order of the document; one that is under several pets is there once.
  public let walks: [Walk]
  /// What could not be used, in the order of the document.
  public let problems: [ImportProblem]
  /// The keys of pets and walks that were not read, in order.
  public let unknownKeys: [String]

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: The document, in UTF-8.
  ///   - clock: What says which births are in the future, and when the pets came into the diary.
  ///   - sizeLimit: How many bytes the document may have; 16 MiB unless told otherwise.
  /// - Throws: `FieldError` with the code `input.invalid` when the document is larger than the limit,
  ///   `rows.schema` when it has no pets anywhere, and those of bodies that are no JSON, such as
  ///   `rows.cut`.
  public init(
    reading data: Data, clock: any FieldClock = .system, sizeLimit: Int = 16 << 20
  ) throws {
    try WalkImportLimit.check(data, sizeLimit)
    let document = try JSONDocument.value([UInt8](data))
    guard let pets = OldDocuments.pets(in: document),
      pets.isEmpty || pets.contains(where: \.isObject)
    else {
      throw FieldError(
        .schema, "the document has no pets: neither Pets, nor an array of pets, nor one pet")
    }
    var reader = OldReader(now: clock.now)
    for pet in pets { reader.read(pet) }
    self.pets = reader.pets
    walks = reader.walks.values
    problems = reader.problems
    unknownKeys = reader.unknownKeys.sorted()
  }

  /// The numbers of pets, walks, and problems.
  public var description: String {
    "\(pets.count) pets, \(walks.count) walks, \(problems.count) problems"
  }
}

/// The limit on what is read at once.
enum WalkImportLimit {
  static func check(_ data: Data, _ limit: Int) throws {
    guard data.count <= limit else {
      throw FieldError(
        .invalidInput,
        "the document has \(data.count) bytes, and \(limit) are allowed; raise sizeLimit to read it"
      )
    }
  }
}
