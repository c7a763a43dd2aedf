/// The location in a cell, in any of the forms of open data.
///
/// | Form | Example |
/// |---|---|
/// | Well-known text, longitude first | `POINT (6.08333 50.775)` |
/// | GeoJSON, longitude first, as an object or as text | `{"type": "Point", "coordinates": [6.08333, 50.775]}` |
/// | Latitude and longitude | `(50.775, 6.08333)` |
/// | An address before them | `Main St 1 (50.775, 6.08333)`, with a line break |
/// | An object with names | `{"latitude": "50.775", "longitude": "6.08333"}`, `{"x": 6.08333, "y": 50.775}` |
/// | Socrata's `rows.json` | `[null, "50.775", "6.08333", null, false]` |
///
/// `nil` stands for "no position"; a pair with a missing number stands for an unreadable position,
/// or for a shape of several positions.
package enum Geolocation {
  /// A latitude and a longitude, each `nil` if it isn't a number.
  package typealias Pair = (latitude: Double?, longitude: Double?)

  private static let unreadable: Pair = (nil, nil)

  /// Returns the pair that a cell contains.
  package static func pair(in value: JSONValue) -> Pair? {
    switch value {
    case .object: pair(inObject: value)
    case .array(let elements): pair(inArray: elements)
    case .string(let text): pair(inText: text)
    case .null: nil
    case .bool, .number: unreadable
    }
  }

  /// Returns the location that a cell contains, or `nil` if there is none, or if it is unreadable
  /// or invalid.
  package static func coordinate(in value: JSONValue) -> Coordinate? {
    guard let pair = pair(in: value), let latitude = pair.latitude, let longitude = pair.longitude
    else { return nil }
    return Coordinate(validLatitude: latitude, longitude: longitude)
  }

  /// Returns whether a cell contains a position that may be unreadable, or half of one.
  static func isAttempted(in value: JSONValue) -> Bool {
    if pair(in: value) != nil { return true }
    return names.contains {
      [value[$0.0], value[$0.1]].contains { $0.map { !isMissing($0) } ?? false }
    }
  }

  /// Returns whether a text contains words that are neither JSON nor a shape, such as an address.
  static func isFreeText(_ text: String) -> Bool {
    let first = text.unicodeScalars.first { !Span<UInt8>.isSpace($0.value) }
    return first != "{" && first != "[" && !isWellKnown(text) && text.contains(where: \.isLetter)
  }

  // MARK: Objects and arrays

  /// The names of a latitude and a longitude in an object.
  private static let names = [
    ("latitude", "longitude"), ("lat", "lng"), ("lat", "lon"), ("lat", "long"), ("y", "x"),
  ]

  /// Reads `{"latitude": "50.775", "longitude": "6.08333"}`, `{"type": "Point", "coordinates":
  /// […]}`, or `{"x": 6.08333, "y": 50.775}`.
  private static func pair(inObject object: JSONValue) -> Pair? {
    if let coordinates = object["coordinates"] { return pair(inCoordinates: coordinates) }
    if let geometry = object["geometry"], case .object = geometry {
      return pair(inObject: geometry)
    }
    for (y, x) in names {
      guard let latitude = object[y], let longitude = object[x] else { continue }
      if isMissing(latitude), isMissing(longitude) { return nil }
      return (latitude.double, longitude.double)
    }
    // An address alone has no position, and neither has one number.
    guard case .object(let members) = object else { return nil }
    let others =
      names.flatMap { [$0.0, $0.1] } + [
        "human_address", "needs_recoding", "type", "spatialReference", "srid",
      ]
    return members.allSatisfy { others.contains($0.key) || isMissing($0.value) } ? nil : unreadable
  }

  /// Reads the coordinates of a GeoJSON point, or of a shape with one position.
  private static func pair(inCoordinates value: JSONValue) -> Pair? {
    guard let elements = value.elements else { return isMissing(value) ? nil : unreadable }
    if !elements.isEmpty, elements.allSatisfy(isMissing) { return nil }
    if elements.count == 1, elements[0].elements != nil { return pair(inCoordinates: elements[0]) }
    guard elements.count >= 2 else { return unreadable }
    // GeoJSON puts the longitude first.
    return (elements[1].double, elements[0].double)
  }

  /// Reads `[null, "50.775", "6.08333", null, false]`: address, latitude, longitude, error,
  /// recoding.
  private static func pair(inArray elements: [JSONValue]) -> Pair? {
    if elements.allSatisfy(isMissing) { return nil }
    guard elements.count >= 3 else { return unreadable }
    if isMissing(elements[1]), isMissing(elements[2]) { return nil }
    return (elements[1].double, elements[2].double)
  }

  /// Returns whether a value stands for no number. ArcGIS writes the text `NaN` for a point without
  /// a position.
  private static func isMissing(_ value: JSONValue) -> Bool {
    switch value {
    case .null: true
    case .string(let text): RowText.isVoid(text) || text.lowercased() == "nan"
    case .bool, .number, .array, .object: false
    }
  }

  // MARK: Text

  private static func pair(inText text: String) -> Pair? {
    let first = text.unicodeScalars.first { !Span<UInt8>.isSpace($0.value) }
    if first == "{" || first == "[" {
      let value = try? JSONDocument.value(Array(text.utf8))
      return value.map { pair(in: $0) } ?? unreadable
    }
    let half = String(decoding: WellKnownText.halfWidth(text), as: UTF8.self)
    if RowText.isVoid(half) { return nil }
    return isWellKnown(half) ? pair(inWellKnown: half) : pair(afterAddress: half)
  }

  private static let shapes = [
    "point", "multipoint", "linestring", "multilinestring", "polygon", "multipolygon",
    "geometrycollection",
  ]

  /// Returns whether a text is a shape: its name, possibly between `SRID=4326;` and `Z`, and a
  /// parenthesis or the word `EMPTY`.
  private static func isWellKnown(_ text: String) -> Bool {
    let head = text.prefix(64).prefix { $0 != "(" }
    var words = head.lowercased().split { " ;".contains($0) }[...]
    if words.first?.hasPrefix("srid") == true { words.removeFirst() }
    guard let name = words.popFirst() else { return false }
    let marks = ["z", "m", "zm", "empty"]
    return shapes.contains { shape in
      name == shape || marks.contains { name == "\(shape)\($0)" }
    } && words.allSatisfy { marks.contains(String($0)) }
      && (head.endIndex < text.endIndex || words.last == "empty")
  }

  private static func pair(inWellKnown text: String) -> Pair? {
    let reading = WellKnownText.positions(in: text)
    guard let only = reading.pairs.first, reading.isWhole else {
      return reading.pairs.isEmpty && reading.isWhole ? nil : unreadable
    }
    return reading.pairs.allSatisfy { $0 == only } ? (only.y, only.x) : unreadable
  }

  /// Reads `(50.775, 6.08333)`, possibly after an address, or `50.775, 6.08333`.
  ///
  /// Without parentheses, both numbers need a decimal point, because `25,04` may be one number.
  private static func pair(afterAddress text: String) -> Pair? {
    var numbers = text[...]
    let isEnclosed = text.last { $0 != " " } == ")"
    // Bytes, because looking for characters backward takes quadratic time in a run of flags.
    if isEnclosed, let open = text.utf8.lastIndex(of: UInt8(ascii: "(")),
      let close = text.utf8[open...].firstIndex(of: UInt8(ascii: ")"))
    {
      numbers = text[text.utf8.index(after: open)..<close]
    }
    let parts = numbers.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, isEnclosed || parts.allSatisfy({ $0.contains(".") }) else {
      return unreadable
    }
    if parts.allSatisfy({ RowText.isVoid($0) }) { return nil }
    return (JSONValue.string(parts[0]).double, JSONValue.string(parts[1]).double)
  }
}
