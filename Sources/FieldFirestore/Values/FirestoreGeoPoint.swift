public import FieldCore

/// A place in a Firestore document, in degrees.
public struct FirestoreGeoPoint: Sendable, Hashable {
  /// The latitude, from -90 through 90.
  public var latitude: Double
  /// The longitude, from -180 through 180.
  public var longitude: Double

  /// Creates a place; it is validated before it is sent.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates a place from a coordinate, wrapping its longitude into Firestore's range.
  public init(_ coordinate: Coordinate) {
    let coordinate = coordinate.normalized
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// The place as a coordinate, or `nil` if it isn't a valid position on Earth.
  public var coordinate: Coordinate? {
    isValid ? Coordinate(validLatitude: latitude, longitude: longitude) : nil
  }

  var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}
