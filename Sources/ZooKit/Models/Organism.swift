internal import FieldCore

/// What the tables of animals and of plants both say.
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
  /// All names as one text to search in, apart by a blank, which no word of a query has.
  var searchText: String {
    [name, englishName, latinName, alternativeNamesText].compactMap(\.self).joined(separator: " ")
  }
}

extension Animal: Organism {}
extension Plant: Organism {}
