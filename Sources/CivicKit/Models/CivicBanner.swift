public import FieldCore
public import FieldFoundation

/// A banner on the home page: a picture that links to a page, until its last day.
///
/// Source: the table `edm`.
public struct CivicBanner: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The key, `edmId`.
  public var id: ID
  /// The name of the banner; empty if the source has none.
  public var name: String
  /// The address that the banner links to, as the source writes it; use ``url`` to open it.
  public var address: String?
  /// The file name of the picture.
  public var imageName: String?
  /// The last day on which the banner is shown, or that of a range; `nil` if there is none or it
  /// can't be parsed.
  public var lastDay: CalendarDay?
  /// The date of the last change at the source.
  public var updatedAt: Date?

  /// The identifier of a banner, as the source assigns it.
  public typealias ID = RecordID<CivicBanner>

  /// Creates a banner.
  public init(
    id: ID, name: String, address: String? = nil, imageName: String? = nil,
    lastDay: CalendarDay? = nil, updatedAt: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.imageName = imageName
    self.lastDay = lastDay
    self.updatedAt = updatedAt
  }

  /// The address to open; `nil` if there is none or it isn't an `http` or `https` address.
  public var url: URL? { address.flatMap(PercentEncoding.webAddress) }

  /// Returns a Boolean value that indicates whether the last day is before `day`.
  ///
  /// A banner without a last day is never past.
  public func isPast(on day: CalendarDay) -> Bool { lastDay.map { $0 < day } ?? false }

  /// The name, with the ID in parentheses.
  public var description: String { "\(name) (\(id))".printable }
}
