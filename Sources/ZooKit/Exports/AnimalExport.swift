internal import FieldCore
public import FieldFoundation

extension Sequence<Animal> {
  /// Returns the animals as GeoJSON (RFC 7946), with a point for each place.
  ///
  /// An animal without a place is a feature without geometry. The ID of a feature is the animal's,
  /// with `/2`, `/3` for further places, because IDs are unique in a collection; the property `id`
  /// is the animal's own.
  public func geoJSON() -> Data {
    var writer = GeoJSONWriter()
    for animal in self {
      let properties = animal.geoJSONProperties
      for number in 0..<Swift.max(1, animal.places.count) {
        writer.add(
          animal.places.isEmpty ? nil : animal.places[number],
          id: .string(animal.id.rawValue + (number == 0 ? "" : "/\(number + 1)")),
          properties: properties)
      }
    }
    return Data(writer.finish())
  }
}

extension Animal {
  fileprivate var geoJSONProperties: [(name: String, value: GeoJSONWriter.Value)] {
    func text(_ text: String?) -> GeoJSONWriter.Value { text.map { .string($0) } ?? .null }
    return [
      ("id", .string(id.rawValue)),
      ("name", .string(name)),
      ("englishName", text(englishName)),
      ("latinName", text(latinName)),
      ("class", text(animalClass?.rawValue)),
      ("family", text(family)),
      ("conservation", text(conservation?.rawValue)),
      ("location", text(locationText)),
      ("picture", text(pictureURL?.absoluteString)),
      ("positionIssue", text(positionIssue?.rawValue)),
    ]
  }
}
