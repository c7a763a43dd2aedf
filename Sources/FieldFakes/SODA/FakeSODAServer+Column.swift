extension FakeSODAServer {
  /// A column of the dataset.
  public struct Column: Sendable, Hashable {
    /// The name in queries and rows, such as `recclass`.
    ///
    /// A name that begins with `:@` is that of a computed column: `*` omits it if there is an
    /// order, as Socrata does.
    public var name: String
    /// The type of the column's values.
    public var type: ColumnType
    /// The title for people.
    public var title: String

    /// Creates a column, whose title defaults to its name.
    public init(_ name: String, _ type: ColumnType = .text, title: String? = nil) {
      self.name = name
      self.type = type
      self.title = title ?? name
    }

    var isComputed: Bool { name.hasPrefix(":@") }
  }

  /// A type of a column, by its name in `X-SODA2-Types`.
  ///
  /// The set of types is open. Values of an unknown type are passed through and can't be compared.
  public struct ColumnType: RawRepresentable, Sendable, Hashable {
    /// The name, such as `floating_timestamp`.
    public var rawValue: String
    /// Creates a type from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A text.
    public static var text: Self { Self(rawValue: "text") }
    /// A decimal number.
    public static var number: Self { Self(rawValue: "number") }
    /// A date and time without a zone.
    public static var floatingTimestamp: Self { Self(rawValue: "floating_timestamp") }
    /// A moment.
    public static var fixedTimestamp: Self { Self(rawValue: "fixed_timestamp") }
    /// A location as GeoJSON.
    public static var point: Self { Self(rawValue: "point") }
    /// A location of the older kind.
    public static var location: Self { Self(rawValue: "location") }
    /// A Boolean value.
    public static var checkbox: Self { Self(rawValue: "checkbox") }
    /// A web address, which is sent as an object.
    public static var url: Self { Self(rawValue: "url") }

    /// The name in the metadata of a view.
    var metadataName: String {
      switch self {
      case .floatingTimestamp: "calendar_date"
      case .fixedTimestamp: "date"
      default: rawValue
      }
    }
  }
}

extension FakeSODAServer.Column: ExpressibleByStringLiteral {
  /// Creates a text column.
  public init(stringLiteral value: String) { self.init(value) }
}
