public import FieldCore
public import FieldFoundation

/// A group of units: a department, a kind of service, or a kind of facility such as 廁所.
///
/// The category itself doesn't state which of the three it is. A ``KeywordLink`` links it to a
/// ``CivicKeyword`` with a ``CivicKeyword/kind``.
///
/// Source: the table `administrativeUnitCategory`.
public struct UnitCategory: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The key, `categoryId`.
  public var id: ID
  /// The name; empty if the source has none.
  public var name: String
  /// A description of the category, in plain text with several lines.
  public var details: String?
  /// The file name of the icon.
  public var iconName: String?
  /// The words to find the category by, in addition to its name.
  public var keywords: [String]
  /// The date on which the category was entered.
  public var createdAt: Date?
  /// The date of the last change at the source.
  public var updatedAt: Date?

  /// The identifier of a category, as the source assigns it.
  public typealias ID = RecordID<UnitCategory>

  /// Creates a category.
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

  /// The name, with the ID in parentheses.
  public var description: String { "\(name) (\(id))".printable }
}

/// The purpose of a category, which is the rank of the keyword that it is linked to.
///
/// The source may add ranks, which are then kinds too.
public struct CategoryKind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The rank.
  public let rawValue: Int
  /// Creates a kind from its rank.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The city's departments (局處導覽分類), rank 1.
  public static var administrative: Self { Self(rawValue: 1) }
  /// Services for visitors (便民服務分類), rank 2.
  public static var quickService: Self { Self(rawValue: 2) }
  /// Facilities in the building (市府設施), rank 3.
  public static var facility: Self { Self(rawValue: 3) }

  /// The name of the kind, or its rank.
  public var description: String {
    switch self {
    case .administrative: "administrative"
    case .quickService: "quickService"
    case .facility: "facility"
    default: "rank \(rawValue)"
    }
  }
}
