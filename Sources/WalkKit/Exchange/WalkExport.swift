internal import FieldCore
public import FieldFoundation

/// Pets and walks as a document in the format of the old app.
///
/// ```swift
/// try WalkExport(pets: pets, walks: walks).json().write(to: file)
/// ```
///
/// The document contains what the old app supported: names, breeds and other words in Korean, times
/// in Seoul to the second, and addresses of photos. It doesn't contain routes, distances, notes, or
/// photos in the diary; use a ``WalkArchive`` for everything. A walk with several pets is listed
/// under each of them, with the same `key`. Reading the document with ``WalkImport`` restores
/// everything that it contains.
public struct WalkExport: Sendable, Hashable {
  /// The pets, in the order of the document.
  public var pets: [Pet]
  /// The walks, which are listed under each pet in this order.
  public var walks: [Walk]

  /// Creates an export; walks of pets that aren't in `pets` are omitted.
  public init(pets: [Pet], walks: [Walk]) {
    self.pets = pets
    self.walks = walks
  }

  /// Returns the document in UTF-8; equal content produces equal bytes.
  public func json() -> Data {
    var walksOfPets: [Pet.ID: [Walk]] = [:]
    for walk in walks {
      for pet in Set(walk.pets.map(\.pet)) { walksOfPets[pet, default: []].append(walk) }
    }
    let documents = pets.map { Self.document($0, walks: walksOfPets[$0.id] ?? []) }
    return Data((["Pets": .array(documents)] as JSONValue).canonicalText.utf8)
  }

  private static func document(_ pet: Pet, walks: [Walk]) -> JSONValue {
    [
      "key": .string(pet.id.rawValue), "name": .string(pet.name),
      "breed": .string(pet.breed.koreanName), "gender": .string(pet.gender?.rawValue ?? ""),
      "birth": .string(pet.birth?.description ?? ""),
      "weight": number(pet.weight?.kilograms) ?? "",
      "profileURL": .string(pet.photo?.url?.absoluteString ?? ""),
      "walks": .array(walks.map(document)),
    ]
  }

  private static func document(_ walk: Walk) -> JSONValue {
    [
      "key": .string(walk.id.rawValue), "date": .string(date(walk)),
      "duration": number(walk.duration.seconds) ?? "",
      "weather": .string(walk.weather.map { $0.koreanName ?? $0.rawValue } ?? ""),
      "dust": .string(
        walk.dust.map { $0 == .bad ? "안좋음" : $0.koreanName ?? $0.rawValue } ?? ""),
      "images": .array(walk.photos.compactMap { $0.url.map { .string($0.absoluteString) } }),
    ]
  }

  /// Returns the time in Seoul without a zone, which is how the old app reads it, whatever the
  /// walk's time zone is.
  private static func date(_ walk: Walk) -> String {
    guard !walk.isUndated else { return "" }
    // The old format has whole seconds; TimestampWriter adds a fraction and a time zone.
    let second = Date(timeIntervalSince1970: walk.start.timeIntervalSince1970.rounded(.down))
    let text = TimestampWriter.iso8601(second, in: .seoul)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  private static func number(_ value: Double?) -> JSONValue? {
    guard let value, value.isFinite else { return nil }
    return .number(value.rounded() == value && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)")
  }
}
