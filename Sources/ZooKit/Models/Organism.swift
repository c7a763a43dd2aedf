internal import FieldCore

/// The properties that the tables of animals and plants share.
protocol Organism {
  var name: String { get }
  var englishName: String? { get set }
  var latinName: String? { get set }
  var alternativeNamesText: String? { get set }
  var family: String? { get set }
  var feature: String? { get set }
  var summary: String? { get set }
  var keywords: String? { get set }
  var locationText: String? { get set }
  var pictures: [ZooMedia] { get set }
  var documents: [ZooMedia] { get set }
  var recordings: [ZooMedia] { get set }
  var video: ZooLink? { get set }
  var code: String? { get set }
  var catalogNumber: String? { get set }
  var updated: CalendarDay? { get set }
  var rowNumber: Int? { get set }
  var unreadable: [String: String] { get set }
}

extension Organism {
  /// All names as one searchable text, separated by blanks, which no query word contains.
  var searchText: String {
    [name, englishName, latinName, alternativeNamesText].compactMap(\.self).joined(separator: " ")
  }
}

extension Animal: Organism {}
extension Plant: Organism {}
