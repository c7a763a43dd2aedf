internal import FieldCore
public import FieldFoundation

/// What the old app had noted in its user defaults about screens that were shown before.
///
/// ```swift
/// let old = LegacyLaunchFlags(["isAppLaunchBefore": true, "isMapLaunchBefore": false])
/// try await directory.importLegacyData(old)
/// ```
///
/// | key | flag |
/// |---|---|
/// | `isAppLaunchBefore`; `isAppFirstLaunch` of older versions, where false means before | ``LaunchFlag/app`` |
/// | `isMessageLaunchBefore` | ``LaunchFlag/messages`` |
/// | `isFacilityLaunchBefore` | ``LaunchFlag/facilities`` |
/// | `isMapLaunchBefore` | ``LaunchFlag/map`` |
public struct LegacyLaunchFlags: Sendable, Hashable {
  /// The flags whose first start has been.
  public var launched: Set<LaunchFlag>

  /// Takes the flags of a dictionary, such as `UserDefaults.standard.dictionaryRepresentation()` mapped to
  /// truth values; other keys are left aside.
  public init(_ values: [String: Bool]) {
    launched = []
    for (key, flag) in Self.keys where values[key] == true { launched.insert(flag) }
    if values["isAppFirstLaunch"] == false { launched.insert(.app) }
  }

  /// Reads the flags of a property list, such as the old app's file in `Library/Preferences`, in XML or
  /// binary; other keys are left aside, and a number that is not 0 is true.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed` when the bytes are no property list with a
  ///   dictionary.
  public init(propertyList: Data) throws {
    do {
      self.init(try PropertyListDecoder().decode(Content.self, from: propertyList).values)
    } catch {
      throw FieldError(
        .malformed, "the bytes are no property list with a dictionary", underlying: error)
    }
  }

  private static let keys: [String: LaunchFlag] = [
    "isAppLaunchBefore": .app, "isMessageLaunchBefore": .messages,
    "isFacilityLaunchBefore": .facilities, "isMapLaunchBefore": .map,
  ]

  /// The truth values of the dictionary; its other values may be anything.
  private struct Content: Decodable {
    var values: [String: Bool] = [:]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys
      where LegacyLaunchFlags.keys[key.stringValue] != nil || key.stringValue == "isAppFirstLaunch"
      {
        if let flag = try? container.decode(Bool.self, forKey: key) {
          values[key.stringValue] = flag
        } else if let number = try? container.decode(Int.self, forKey: key) {
          values[key.stringValue] = number != 0
        }
      }
    }

    private struct Key: CodingKey {
      let stringValue: String
      let intValue: Int? = nil
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
  }
}
