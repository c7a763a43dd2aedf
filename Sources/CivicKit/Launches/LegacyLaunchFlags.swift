internal import FieldCore
public import FieldFoundation

/// The launch flags that the old app stored in its user defaults.
///
/// ```swift
/// let old = LegacyLaunchFlags(["isAppLaunchBefore": true, "isMapLaunchBefore": false])
/// try await directory.importLegacyData(old)
/// ```
///
/// | Key | Flag |
/// |---|---|
/// | `isAppLaunchBefore`; older: `isAppFirstLaunch`, inverted | ``LaunchFlag/app`` |
/// | `isMessageLaunchBefore` | ``LaunchFlag/messages`` |
/// | `isFacilityLaunchBefore` | ``LaunchFlag/facilities`` |
/// | `isMapLaunchBefore` | ``LaunchFlag/map`` |
public struct LegacyLaunchFlags: Sendable, Hashable {
  /// The flags of which the first launch has taken place.
  public var launched: Set<LaunchFlag>

  /// Creates flags from a dictionary.
  ///
  /// Pass, for example, the Boolean values of `UserDefaults.standard.dictionaryRepresentation()`.
  /// Other keys are ignored.
  public init(_ values: [String: Bool]) {
    launched = []
    for (key, flag) in Self.keys where values[key] == true { launched.insert(flag) }
    if values["isAppFirstLaunch"] == false { launched.insert(.app) }
  }

  /// Creates flags from a property list, such as the old app's file in `Library/Preferences`.
  ///
  /// The list may be XML or binary. Other keys are ignored, and a number other than 0 means `true`.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed` if the data isn't a property list that
  ///   contains a dictionary.
  public init(propertyList: Data) throws {
    do {
      self.init(
        try PropertyListDecoder().decode([String: Value].self, from: propertyList)
          .compactMapValues(\.flag))
    } catch {
      throw FieldError(
        .malformed, "The data isn't a property list with a dictionary.", underlying: error)
    }
  }

  private static let keys: [String: LaunchFlag] = [
    "isAppLaunchBefore": .app, "isMessageLaunchBefore": .messages,
    "isFacilityLaunchBefore": .facilities, "isMapLaunchBefore": .map,
  ]

  /// A value of the dictionary, of any type.
  private struct Value: Decodable {
    let flag: Bool?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      flag =
        (try? container.decode(Bool.self))
        ?? (try? container.decode(Int.self)).map { $0 != 0 }
    }
  }
}

/// A name for the first launch of the app, of a screen, or of anything else that an app defines.
public struct LaunchFlag: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name.
  public let rawValue: String
  /// Creates a flag from a name of your choice.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a flag from its name.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  /// The name.
  public var description: String { rawValue }

  /// The first launch of the app itself.
  public static var app: Self { Self(rawValue: "app") }
  /// The first visit to the messages screen.
  public static var messages: Self { Self(rawValue: "messages") }
  /// The first visit to the facilities screen.
  public static var facilities: Self { Self(rawValue: "facilities") }
  /// The first visit to the map.
  public static var map: Self { Self(rawValue: "map") }
}
