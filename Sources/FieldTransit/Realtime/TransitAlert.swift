public import FieldFoundation

/// An alert about lines, stops, or trips, as a message of GTFS Realtime has it.
public struct TransitAlert: Sendable, Hashable, Identifiable {
  /// The ID in the message, which needn't be the same in the next one.
  public internal(set) var id: String
  /// The heading, by language; the key is empty for a text without a language.
  public internal(set) var titles: [String: String] = [:]
  /// The text, by language.
  public internal(set) var texts: [String: String] = [:]
  /// The web addresses of more information, by language.
  public internal(set) var links: [String: String] = [:]
  /// The times at which the alert holds; empty if it holds as long as it is in the messages.
  public internal(set) var periods: [Range<Date>] = []
  /// The subjects of the alert; empty if it concerns everything.
  public internal(set) var subjects: [Subject] = []
  /// The value of `cause` in the message, such as 9 for maintenance; `nil` if it isn't known.
  public internal(set) var cause: Int?
  /// The value of `effect` in the message, such as 1 for no service; `nil` if it isn't known.
  public internal(set) var effect: Int?

  /// A subject of an alert: everything that has all of the given properties.
  public struct Subject: Sendable, Hashable {
    /// The ID of the agency.
    public internal(set) var agencyID: String?
    /// The ID of the line.
    public internal(set) var routeID: String?
    /// The ID of the trip.
    public internal(set) var tripID: String?
    /// The ID of the stop or station.
    public internal(set) var stopID: String?
    /// The kind of vehicle.
    public internal(set) var mode: TransitMode?
  }

  /// Returns a Boolean value that indicates whether the alert holds at a moment.
  public func isActive(at date: Date) -> Bool {
    periods.isEmpty || periods.contains { $0.contains(date) }
  }

  /// Returns the heading in the first of some languages that the alert has, or else in any.
  ///
  /// - Parameter languages: Codes of languages, such as `zh-Hant` or `en`. `zh-Hant` also finds `zh`.
  public func title(in languages: [String]) -> String? { Self.text(titles, languages) }

  /// Returns the text in the first of some languages that the alert has, or else in any.
  ///
  /// - Parameter languages: Codes of languages, such as `zh-Hant` or `en`. `zh-Hant` also finds `zh`.
  public func text(in languages: [String]) -> String? { Self.text(texts, languages) }

  private static func text(_ texts: [String: String], _ languages: [String]) -> String? {
    for language in languages {
      let wanted = language.lowercased()
      for key in [wanted, String(wanted.prefix { $0 != "-" })] {
        if let found = texts.first(where: { $0.key.lowercased() == key }) { return found.value }
      }
    }
    return texts[""] ?? texts.min { $0.key < $1.key }?.value
  }
}
