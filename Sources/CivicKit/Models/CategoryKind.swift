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
