public import FieldCore

extension Meteorite {
  /// The fields of a meteorite, each described at the ``Meteorite`` property of the same name.
  ///
  /// The ID and the numbers come first, so that the most frequently read fields share the first
  /// cache line with the reference count.
  @usableFromInline
  struct Fields: Hashable, Sendable, Codable {
    @usableFromInline var id: ID
    @usableFromInline var massInGrams: Double?
    @usableFromInline var year: Year?
    @usableFromInline var coordinate: Coordinate?
    @usableFromInline var name: String
    @usableFromInline var classification: Classification
    @usableFromInline var fall: Fall
    @usableFromInline var nameType: NameType
    @usableFromInline var unreadable: [String: String]
  }
}
