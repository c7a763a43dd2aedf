internal import FieldCore

/// The projection of web maps, EPSG:3857, which ArcGIS calls 102100: a sphere with the equatorial radius of WGS84.
enum WebMercator {
  private static let radius = 6_378_137.0

  /// Returns the longitude and the latitude on WGS84 of a position in meters, or `nil` if it isn't finite.
  static func degrees(x: Double, y: Double) -> (longitude: Double, latitude: Double)? {
    guard x.isFinite, y.isFinite else { return nil }
    let turn = 180 / Double.pi
    var longitude = x / radius * turn
    // Maps repeat beyond the date line.
    if longitude < -180 || longitude > 180 {
      longitude = longitude.remainder(dividingBy: 360)
    }
    return (longitude, Angle.gudermannian(y / radius) * turn)
  }
}

/// The coordinate system of a feature's shape.
enum EsriReference: Hashable {
  case degrees
  case webMercator
  /// Another one, by its number or its text.
  case unknown(String)

  /// Creates the system that a response names.
  ///
  /// A response without one is in degrees, because that is requested.
  init(_ value: JSONValue?) {
    let numbers = [value?["latestWkid"], value?["wkid"]].compactMap { $0?.integer }
    if numbers.contains(where: [3857, 102100, 102113, 900913].contains) {
      self = .webMercator
    } else if numbers.contains(where: [4326, 4979].contains) || value == nil || value == .null {
      self = .degrees
    } else if numbers.isEmpty, let text = value?["wkt"]?.string, let known = Self.named(text) {
      self = known
    } else {
      self = .unknown(
        numbers.last.map(String.init) ?? value?["wkt"]?.string ?? value?.canonicalText ?? "")
    }
  }

  /// Returns the system that a well-known text describes, by the name at its beginning.
  private static func named(_ text: String) -> EsriReference? {
    let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let kind = parts[0].uppercased().filter { !$0.isWhitespace }
    let name = parts[1].uppercased().filter { $0.isLetter || $0.isNumber }
    switch kind {
    case "GEOGCS[", "GEOGCRS[", "GEODCRS[":
      return ["GCSWGS1984", "WGS84", "WGS1984"].contains(name) ? .degrees : nil
    case "PROJCS[", "PROJCRS[":
      return ["WGS1984WEBMERCATORAUXILIARYSPHERE", "WGS84PSEUDOMERCATOR", "WGS1984WEBMERCATOR"]
        .contains(name) ? .webMercator : nil
    default: return nil
    }
  }

  /// Returns the longitude and the latitude of a position, or `nil` if it can't be converted.
  func degrees(x: Double, y: Double) -> (longitude: Double, latitude: Double)? {
    switch self {
    case .degrees: x.isFinite && y.isFinite ? (x, y) : nil
    case .webMercator: WebMercator.degrees(x: x, y: y)
    case .unknown: nil
    }
  }
}
