package import FieldCore

/// The location in a cell, in any of Socrata's formats: an object of type `location`, a GeoJSON
/// point, the positional array of `rows.json`, and the text of the CSV.
///
/// `nil` stands for "no position"; a pair with a missing number stands for an unreadable position.
package enum Geolocation {
  /// A latitude and a longitude, each `nil` if it isn't a number.
  package typealias Pair = (latitude: Double?, longitude: Double?)

  /// Returns the pair that a cell contains.
  package static func pair(in value: JSONValue) -> Pair? {
    switch value {
    case .object: pair(inObject: value)
    case .array(let elements): pair(inArray: elements)
    case .string(let text): pair(inText: text)
    case .null: nil
    case .bool, .number: (nil, nil)
    }
  }

  /// Reads `{"latitude": "50.775", "longitude": "6.08333"}`, or `{"type": "Point", "coordinates":
  /// […]}`.
  private static func pair(inObject object: JSONValue) -> Pair? {
    if let coordinates = object["coordinates"]?.elements {
      guard coordinates.count >= 2 else { return (nil, nil) }
      // GeoJSON puts the longitude first.
      return (coordinates[1].double, coordinates[0].double)
    }
    guard let latitude = object["latitude"], let longitude = object["longitude"] else { return nil }
    return (latitude.double, longitude.double)
  }

  /// Reads `[null, "50.775", "6.08333", null, false]`: address, latitude, longitude, error,
  /// recoding.
  private static func pair(inArray elements: [JSONValue]) -> Pair? {
    guard elements.count >= 3 else { return (nil, nil) }
    if elements[1] == .null && elements[2] == .null { return nil }
    return (elements[1].double, elements[2].double)
  }

  /// Reads `(50.775, 6.08333)`.
  private static func pair(inText text: String) -> Pair? {
    let parts = text.filter { $0 != "(" && $0 != ")" }.split(separator: ",")
    guard parts.count == 2 else { return (nil, nil) }
    return (JSONValue.string(String(parts[0])).double, JSONValue.string(String(parts[1])).double)
  }
}
