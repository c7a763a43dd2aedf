// What the sources name, and what isn't the subject here: Embedded Swift has no existential errors.
public struct FieldError: Error {
  public enum Code: Sendable { case invalidInput, cut, malformed, damaged, newerFormat }
  public init(_ code: Code, _ message: String) {}
}

public struct Coordinate: Sendable, Hashable {
  public let latitude: Double
  public let longitude: Double
  init(_ latitude: Double, _ longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
  init?(validLatitude latitude: Double, unwrappedLongitude longitude: Double) { self.init(latitude, longitude) }
}
