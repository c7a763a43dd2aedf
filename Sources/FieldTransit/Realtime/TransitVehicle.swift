public import FieldCore
public import FieldFoundation

/// A vehicle and its position, as a message of GTFS Realtime has it.
///
/// Everything is `nil` that the message doesn't say.
public struct TransitVehicle: Sendable, Hashable {
  /// The internal ID of the vehicle.
  public internal(set) var id: String?
  /// The text by which passengers know the vehicle, such as a train number.
  public internal(set) var label: String?
  /// The license plate.
  public internal(set) var licensePlate: String?
  /// The ID of the trip that the vehicle runs.
  public internal(set) var tripID: String?
  /// The ID of the line.
  public internal(set) var routeID: String?
  /// The ID of the stop at which the vehicle is, or to which it goes.
  public internal(set) var stopID: String?
  /// The state of the vehicle with regard to ``stopID``.
  public internal(set) var status: Status?
  /// The position.
  public internal(set) var coordinate: Coordinate?
  /// The direction in which the vehicle is heading, in degrees clockwise from north.
  public internal(set) var bearing: Double?
  /// The speed, in meters per second.
  public internal(set) var speed: Double?
  /// The moment at which the position was measured.
  public internal(set) var date: Date?

  /// The state of a vehicle with regard to a stop.
  public enum Status: Int, Sendable, Hashable {
    /// The vehicle is about to arrive.
    case arriving
    /// The vehicle stands at the stop.
    case stopped
    /// The vehicle has left the stop before, and is on its way.
    case inTransit
  }
}
