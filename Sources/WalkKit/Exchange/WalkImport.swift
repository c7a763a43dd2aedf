public import FieldCore
public import FieldFoundation

/// Pets and walks that were read from a document of the old app.
///
/// ```swift
/// let old = try WalkImport(reading: try Data(contentsOf: file))
/// print(old.pets.count, old.walks.count)
/// for problem in old.problems { print(problem) }
/// ```
///
/// The document is JSON in the form that the old app's README shows, with pets that contain their
/// walks:
///
/// ```json
/// {"Pets": [{"name": "mesh", "breed": "welshcorgi", "birth": "2020-01-01", "gender": "M",
///   "profileURL": "https://…", "weight": 10,
///   "walks": [{"date": "2020-02-14 19:18:00", "duration": 3209, "weather": "맑음", "dust": "좋음",
///     "images": ["https://…"]}]}]}
/// ```
///
/// An array of pets, a single pet, collections as objects with document IDs as keys (with or
/// without `__collections__`, as export tools write them), and the typed values of Firestore's own
/// interface can also be read. Keys match in any case, and numbers may be text. Times are in Seoul
/// unless they state another zone.
///
/// Unreadable values, and records that aren't pets or walks, are skipped and listed in
/// ``problems``; everything else is read. A walk with a blank date is kept as ``Walk/isUndated``.
/// Values under keys that the old app didn't have are dropped; see ``unknownKeys``.
///
/// The same document always produces the same IDs, either those under `key` or ones derived from
/// the content, so importing it again adds nothing.
public struct WalkImport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The pets, in the order of the document.
  public let pets: [Pet]
  /// The walks, in the order of the document; one that is listed under several pets occurs once.
  public let walks: [Walk]
  /// The problems, in the order of the document.
  public package(set) var problems: [ImportProblem]
  /// The keys of pets and walks that were not read, in order.
  public let unknownKeys: [String]

  /// Creates an import by reading a document.
  ///
  /// - Parameters:
  ///   - data: The document, in UTF-8.
  ///   - clock: The clock that decides which births are in the future and when the pets were added.
  ///   - sizeLimit: The largest document to accept, in bytes. Defaults to 16 MiB.
  /// - Throws: `FieldError` with the code `input.invalid` if the document is larger than the limit,
  ///   `rows.schema` if it contains no pets, and the codes for bodies that aren't JSON, such as
  ///   `rows.cut`.
  public init(
    reading data: Data, clock: any FieldClock = .system, sizeLimit: Int = 16 << 20
  ) throws {
    try Self.check(data, sizeLimit)
    let document = try JSONDocument.value([UInt8](data))
    guard let pets = OldDocuments.pets(in: document),
      pets.isEmpty || pets.contains(where: \.isObject)
    else {
      throw FieldError(
        .schema, "The document has no pets: neither Pets, nor an array of pets, nor one pet.")
    }
    var reader = OldReader(now: clock.now)
    for pet in pets { reader.read(pet) }
    self.pets = reader.pets
    walks = reader.walksInOrder
    problems = reader.problems
    unknownKeys = reader.unknownKeys.sorted()
  }

  static func check(_ data: Data, _ sizeLimit: Int) throws {
    guard data.count > sizeLimit else { return }
    throw FieldError(
      .invalidInput,
      "The document has \(data.count) bytes, but sizeLimit allows only \(sizeLimit). Increase it.")
  }

  /// The numbers of pets, walks, and problems.
  public var description: String {
    "\(pets.count) pets, \(walks.count) walks, \(problems.count) problems"
  }
}
