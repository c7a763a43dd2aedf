public import FieldCore
public import FieldFoundation

/// One position reported by a receiver.
///
/// The values aren't validated. Receivers that don't know the position report negative numbers,
/// NaN, and places in the Gulf of Guinea; the recorder's result says what became of each fix.
///
/// On Apple platforms, create it from a `CLLocation`: its `horizontalAccuracy` is the accuracy, its
/// `timestamp` the time. As there, a negative number means "unknown"; so does a vertical accuracy
/// of zero.
public struct LocationFix: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The coordinate of the position.
  public var coordinate: Coordinate
  /// The radius that contains the real position, as the receiver estimates it; negative or NaN if
  /// the position is invalid.
  public var accuracy: Distance
  /// The time of the measurement, which may be long before the delivery.
  public var time: Date
  /// The elevation in meters above the receiver's reference, or `nil` if it reports none.
  public var elevation: Double?
  /// The accuracy of the elevation; `nil` if unknown, zero or negative if the elevation is invalid.
  public var verticalAccuracy: Distance?
  /// The speed over ground in meters per second; `nil` or negative if unknown.
  public var speed: Double?
  /// The direction of travel in degrees clockwise from north; `nil` or negative if unknown.
  public var course: Double?

  /// Creates a fix.
  public init(
    coordinate: Coordinate, accuracy: Distance, time: Date, elevation: Double? = nil,
    verticalAccuracy: Distance? = nil, speed: Double? = nil, course: Double? = nil
  ) {
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.time = time
    self.elevation = elevation
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.course = course
  }

  /// The fix as a point of a track, without an elevation that the receiver reports as invalid.
  public var point: TrackPoint {
    let isHeightGood =
      elevation.map(\.isFinite) == true && verticalAccuracy.map { $0.meters > 0 } != false
    return TrackPoint(
      coordinate: coordinate, elevation: isHeightGood ? elevation : nil, time: time,
      accuracy: accuracy)
  }

  /// The coordinate and the accuracy.
  public var description: String { "\(coordinate), \(accuracy)" }
}
