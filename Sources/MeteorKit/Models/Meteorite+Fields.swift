public import FieldCore

extension Meteorite {
  /// What is known about a meteorite; each field is described where ``Meteorite`` gives it.
  ///
  /// The numbers come first, since what is looked at most then lies in the first line of the cache, where
  /// the references to the fields are counted.
  @usableFromInline
  struct Fields: Hashable, Sendable, Codable {
    @usableFromInline var massInGrams: Double?
    @usableFromInline var year: Year?
    @usableFromInline var coordinate: Coordinate?
    @usableFromInline var id: ID
    @usableFromInline var name: String
    @usableFromInline var classification: Classification
    @usableFromInline var fall: Fall
    @usableFromInline var nameType: NameType
    @usableFromInline var unreadable: [String: String]
  }
}
