internal import FieldCore

extension Meteorite {
  /// What is known about a meteorite; each field is described where ``Meteorite`` gives it.
  struct Fields: Hashable, Sendable, Codable {
    var id: ID
    var name: String
    var classification: Classification
    var massInGrams: Double?
    var fall: Fall
    var nameType: NameType
    var year: Year?
    var coordinate: Coordinate?
    var unreadable: [String: String]
  }
}
