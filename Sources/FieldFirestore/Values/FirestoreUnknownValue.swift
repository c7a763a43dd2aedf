public import FieldCore

/// A value of a kind that this version of the package doesn't know, kept as it was received.
public struct FirestoreUnknownValue: Sendable, Hashable {
  /// The name of the kind, such as `pipelineValue`.
  public var kind: String
  /// The content, as JSON.
  public var content: String

  /// Creates a value from the name of its kind and its content.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed` or `rows.cut` if the content isn't JSON.
  public init(kind: String, content: String) throws {
    self.init(kind: kind, json: try JSONDocument.value(Array(content.utf8)))
  }

  init(kind: String, json: JSONValue) {
    self.kind = kind
    content = json.canonicalText
  }

  var json: JSONValue {
    do {
      return try JSONDocument.value(Array(content.utf8))
    } catch {
      // The content was replaced with text that isn't JSON; the server will reject it.
      return .string(content)
    }
  }
}

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
