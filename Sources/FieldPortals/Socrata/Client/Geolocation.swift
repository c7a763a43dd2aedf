package import FieldCore

/// The place in a cell, in the shapes that Socrata has given it: the object of type `location`, a GeoJSON
/// point, the positional array of `rows.json`, and the text of the CSV.
///
/// Nil stands for "no position"; a pair with a missing number for a position that cannot be read.
package enum Geolocation {
  /// A latitude and a longitude; nil for one that is no number.
  package typealias Pair = (latitude: Double?, longitude: Double?)

  /// The pair that a cell holds.
  package static func pair(in value: JSONValue) -> Pair? {
    switch value {
    case .object: pair(inObject: value)
    case .array(let elements): pair(inArray: elements)
    case .string(let text): pair(inText: text)
    case .null: nil
    case .bool, .number: (nil, nil)
    }
  }

  /// `{"latitude": "50.775", "longitude": "6.08333"}`, or `{"type": "Point", "coordinates": […]}`.
  private static func pair(inObject object: JSONValue) -> Pair? {
    if let coordinates = object["coordinates"]?.elements {
      guard coordinates.count >= 2 else { return (nil, nil) }
      // GeoJSON has the longitude first.
      return (coordinates[1].double, coordinates[0].double)
    }
    guard let latitude = object["latitude"], let longitude = object["longitude"] else { return nil }
    return (latitude.double, longitude.double)
  }

  /// `[null, "50.775", "6.08333", null, false]`: address, latitude, longitude, error, needs recoding.
  private static func pair(inArray elements: [JSONValue]) -> Pair? {
    guard elements.count >= 3 else { return (nil, nil) }
    if elements[1] == .null && elements[2] == .null { return nil }
    return (elements[1].double, elements[2].double)
  }

  /// `(50.775, 6.08333)`.
  private static func pair(inText text: String) -> Pair? {
    let parts = text.filter { $0 != "(" && $0 != ")" }.split(separator: ",")
    guard parts.count == 2 else { return (nil, nil) }
    return (
      JSONValue.string(String(parts[0])).double, JSONValue.string(String(parts[1])).double
    )
  }
}
