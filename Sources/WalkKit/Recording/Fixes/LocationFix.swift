public import FieldCore
public import FieldFoundation

/// One position of a receiver, as it came.
///
/// Nothing is checked here: a receiver that does not know gives negative numbers, NaN and places in the
/// Gulf of Guinea, and the recorder says of each fix what it made of it.
///
/// On Apple platforms it is made of a `CLLocation`: its `horizontalAccuracy` is the accuracy, its
/// `timestamp` the time, and a negative number stands for "not known" there and here; a vertical accuracy
/// of zero does as well.
public struct LocationFix: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Where.
  public var coordinate: Coordinate
  /// The radius within which the real place lies, as the receiver estimates it; negative or NaN when the
  /// place is not valid.
  public var accuracy: Distance
  /// When the position was measured, which may be long before it was delivered.
  public var time: Date
  /// Metres above the reference of the receiver; nil when it gives none.
  public var elevation: Double?
  /// How far off the elevation may be; nil when not known, zero or negative when the elevation is not
  /// valid.
  public var verticalAccuracy: Distance?
  /// The speed over ground in metres a second; nil or negative when not known.
  public var speed: Double?
  /// The direction of travel in degrees clockwise from north; nil or negative when not known.
  public var course: Double?

  /// Makes a fix.
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

  /// The fix as a point of a track; an elevation that the receiver calls invalid is left out.
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
