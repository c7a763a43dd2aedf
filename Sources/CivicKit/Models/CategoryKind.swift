/// What a category is for, by the rank of the keyword that it is tied to.
///
/// The source may add ranks; those are kinds too.
public struct CategoryKind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The rank.
  public let rawValue: Int
  /// Makes a kind from its rank.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The departments of the city (局處導覽分類), rank 1.
  public static var administrative: Self { Self(rawValue: 1) }
  /// What people come for (便民服務分類), rank 2.
  public static var quickService: Self { Self(rawValue: 2) }
  /// What stands in the building (市府設施), rank 3.
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
