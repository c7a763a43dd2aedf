extension FakeSODAServer {
  /// A column of the dataset.
  public struct Column: Sendable, Hashable {
    /// The name in queries and rows, such as `recclass`. One that begins with `:@` is a computed
    /// column: `*` leaves it out as soon as there is an order, as Socrata does.
    public var name: String
    /// What the column holds.
    public var type: ColumnType
    /// The name for people.
    public var title: String

    /// Makes a column; it is titled by its name unless told otherwise.
    public init(_ name: String, _ type: ColumnType = .text, title: String? = nil) {
      self.name = name
      self.type = type
      self.title = title ?? name
    }

    /// Whether the portal computes the column.
    var isComputed: Bool { name.hasPrefix(":@") }
  }

  /// The type of a column by its name in `X-SODA2-Types`: an open set. A type that the fake does not
  /// know is passed through and cannot be compared.
  public struct ColumnType: RawRepresentable, Sendable, Hashable {
    /// The name, such as `floating_timestamp`.
    public var rawValue: String
    /// Makes a type from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Text.
    public static var text: Self { Self(rawValue: "text") }
    /// A decimal number.
    public static var number: Self { Self(rawValue: "number") }
    /// A date and time without a zone.
    public static var floatingTimestamp: Self { Self(rawValue: "floating_timestamp") }
    /// A moment.
    public static var fixedTimestamp: Self { Self(rawValue: "fixed_timestamp") }
    /// A place as GeoJSON.
    public static var point: Self { Self(rawValue: "point") }
    /// A place of the older kind.
    public static var location: Self { Self(rawValue: "location") }
    /// True or false.
    public static var checkbox: Self { Self(rawValue: "checkbox") }
    /// An address on the web: an object on the wire.
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
  /// Makes a text column.
  public init(stringLiteral value: String) { self.init(value) }
}
