public import FieldCore
public import FieldFoundation

/// A group of units: a department, a kind of service, or a kind of facility such as 廁所.
///
/// Which of the three it is stands in no field of its own: a ``KeywordLink`` ties the category to a
/// ``CivicKeyword``, whose ``CivicKeyword/kind`` says it.
///
/// Source: the table `administrativeUnitCategory`.
public struct UnitCategory: Identifiable, Sendable, Hashable, Codable {
  /// The key, `categoryId`.
  public var id: ID
  /// The name; empty when the source has none.
  public var name: String
  /// What the category is about, in plain text of several lines.
  public var details: String?
  /// The name of the icon's file.
  public var iconName: String?
  /// The words to find the category by, besides its name.
  public var keywords: [String]
  /// When the category was entered.
  public var createdAt: Date?
  /// When the category was last changed at the source.
  public var updatedAt: Date?

  /// The identifier of a category, as the source assigns it.
  public typealias ID = RecordID<UnitCategory>

  /// Makes a category.
  public init(
    id: ID, name: String, details: String? = nil, iconName: String? = nil,
    keywords: [String] = [], createdAt: Date? = nil, updatedAt: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.details = details
    self.iconName = iconName
    self.keywords = keywords
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension UnitCategory: CustomStringConvertible {
  /// The name, with the ID in parentheses.
  public var description: String { "\(name) (\(id))".printable }
}
