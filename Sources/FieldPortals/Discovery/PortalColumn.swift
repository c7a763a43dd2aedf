/// A column of a dataset on a portal.
public struct PortalColumn: Sendable, Hashable, Codable, Identifiable {
  /// The kind of the values in a column.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the kind.
    public var rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Texts, and values of types that aren't known.
    public static var text: Self { Self(rawValue: "text") }
    /// Integers.
    public static var integer: Self { Self(rawValue: "integer") }
    /// Numbers.
    public static var number: Self { Self(rawValue: "number") }
    /// True or false.
    public static var boolean: Self { Self(rawValue: "boolean") }
    /// Days or moments.
    public static var date: Self { Self(rawValue: "date") }
    /// Locations or shapes.
    public static var location: Self { Self(rawValue: "location") }

    /// The name of the kind.
    public var description: String { rawValue }
  }

  /// The name of the column in rows.
  public var name: String
  /// The title of the column.
  public var title: String
  /// The portal's name for the type, such as `esriFieldTypeDate` or `timestamp`.
  public var type: String

  /// Creates a column.
  public init(name: String, title: String, type: String) {
    self.name = name
    self.title = title
    self.type = type
  }

  /// The name of the column in rows.
  public var id: String { name }

  /// The kind of the values, from the portal's type.
  public var kind: Kind {
    var word = type.lowercased()
    for prefix in ["esrifieldtype", "_"] where word.hasPrefix(prefix) {
      word.removeFirst(prefix.count)
    }
    return switch word {
    case "oid", "integer", "smallinteger", "biginteger", "int", "int2", "int4", "int8", "bigint",
      "serial":
      .integer
    case "double", "single", "number", "numeric", "float4", "float8", "float", "decimal", "money",
      "percent":
      .number
    case "boolean", "bool", "checkbox": .boolean
    case "date", "dateonly", "timestampoffset", "datetime", "timestamp", "timestamptz",
      "calendar_date", "fixed_timestamp", "floating_timestamp":
      .date
    case "geometry", "point", "multipoint", "line", "multiline", "polygon", "multipolygon",
      "location", "geo_point_2d", "geo_shape":
      .location
    default: .text
    }
  }
}
