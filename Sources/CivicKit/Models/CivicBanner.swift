public import FieldCore
public import FieldFoundation

/// A banner of the home page: a picture that leads to a page, until its last day.
///
/// Source: the table `edm`.
public struct CivicBanner: Identifiable, Sendable, Hashable, Codable {
  /// The key, `edmId`.
  public var id: ID
  /// What the banner is about; empty when the source has no name.
  public var name: String
  /// The address that it leads to, as the source writes it; ``url`` is one to open.
  public var address: String?
  /// The name of the picture's file.
  public var imageName: String?
  /// The last day on which it is shown; nil when it has none, or it cannot be read.
  public var lastDay: CalendarDay?
  /// When the banner was last changed at the source.
  public var updatedAt: Date?

  /// The identifier of a banner, as the source assigns it.
  public typealias ID = RecordID<CivicBanner>

  /// Makes a banner.
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

  /// The address to open; nil when there is none, or what is written is no `http` or `https` address.
  public var url: URL? { address.flatMap(PercentEncoding.webAddress) }

  /// Whether the last day is over; a banner without one never is.
  public func isPast(on day: CalendarDay) -> Bool {
    lastDay.map { $0 < day } ?? false
  }
}

extension CivicBanner: CustomStringConvertible {
  /// The name, with the ID in parentheses.
  public var description: String { "\(name) (\(id))".printable }
}
