public import FieldCore
public import FieldFoundation

/// The expected arrival of a train at one of its next stations, predicted from where it was last seen.
///
/// See ``ArrivalBoard/predictions(for:)``.
public struct PredictedArrival: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The row with the train's last event, from which the arrival is predicted.
  public let train: Arrival
  /// The station.
  public let station: MetroStation.ID
  /// The code of the platform on the train's line.
  public let code: MetroStation.Code
  /// The expected arrival, by the source's clock as ``Arrival/expectedAt``.
  public let date: Date
  /// The age of the row when the prediction was made, negative if its time was in the future.
  public let age: Duration

  /// A description with the station, the train's destination, and the expected arrival.
  public var description: String { "\(station) > \(train.destinationName), \(date)".printable }
}
