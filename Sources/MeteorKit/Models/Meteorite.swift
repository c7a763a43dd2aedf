public import FieldCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A meteorite, as NASA's table of the Meteoritical Society lists it.
///
/// What the source does not say is nil; what it says and cannot be read is nil too, with its text in
/// ``unreadable``; what it says and cannot be true is kept, and told by ``positionIssue`` and
/// ``Year/validity(currentYear:)``.
///
/// Source: NASA Open Data, "Meteorite Landings" (`gh4g-9sfh`).
public struct Meteorite: Identifiable, Hashable, Sendable, Codable {
  /// The code of the Meteoritical Bulletin, which all files of the dataset share.
  public var id: ID
  /// The name as the source has it, with its diacritics and trailing blanks; empty when it has none.
  public var name: String
  /// The class, such as `L6` or `Iron, IIIAB`, with its ``Classification/group``.
  public var classification: Classification
  /// The mass in grams; 0 is a real value of the source (some relicts), nil is "not known".
  public var massInGrams: Double?
  /// Whether it was seen to fall.
  public var fall: Fall
  /// Whether it is a meteorite still, or what weathering has left of one.
  public var nameType: NameType
  /// The year of the fall, or of the find.
  public var year: Year?
  /// Where it fell or was found, as the source gives it; ``positionIssue`` tells whether that can be.
  public var coordinate: Coordinate?
  /// The texts of those columns that hold something that cannot be read, by the column's usual name.
  public var unreadable: [String: String]

  /// Makes a meteorite.
  public init(
    id: ID,
    name: String,
    classification: Classification = .unknown,
    massInGrams: Double? = nil,
    fall: Fall = .unknown,
    nameType: NameType = .valid,
    year: Year? = nil,
    coordinate: Coordinate? = nil,
    unreadable: [String: String] = [:]
  ) {
    self.id = id
    self.name = name
    self.classification = classification
    self.massInGrams = massInGrams
    self.fall = fall
    self.nameType = nameType
    self.year = year
    self.coordinate = coordinate
    self.unreadable = unreadable
  }

  /// The page of the Meteoritical Bulletin Database on this meteorite.
  public var bulletinURL: URL? {
    URL(string: "https://www.lpi.usra.edu/meteor/metbull.php")?
      .appending(queryItems: [URLQueryItem(name: "code", value: id.rawValue)])
  }
}
