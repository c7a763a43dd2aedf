public import FieldCore
public import FieldFoundation

/// A train that is expected to leave a station, and what says so.
///
/// See ``ArrivalBoard/departures(at:limit:)``.
public struct MetroDeparture: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The information that a departure is known from.
  public enum Basis: String, Sendable, Hashable, Codable, CaseIterable {
    /// A fresh row of the board has the train at the station, or on its way there.
    case live
    /// A fresh row has the train at an earlier station, and the network has the running times from there.
    case predicted
    /// The timetable has the train.
    case timetable
    /// The timetable says how often trains run, so the time isn't exact.
    case headway
  }

  /// The code of the platform, such as `BL12`; `nil` if the row's line isn't known.
  public let code: MetroStation.Code?
  /// The line; `nil` if it isn't known.
  public let line: MetroLine.ID?
  /// The train's destination; `nil` if it isn't in the network.
  public let destination: MetroStation.ID?
  /// The name of the destination, in the spelling of its source.
  public let destinationName: String
  /// When the train is expected.
  public let date: Date
  /// The information that the departure is known from.
  public let basis: Basis
  /// The age of that: the row's, or the time since the timetable was confirmed; `nil` if that isn't known.
  public let age: Duration?
  /// The row of a live or predicted train.
  public let arrival: Arrival?

  /// A description with the platform, the destination, the time, and the basis.
  public var description: String {
    "\(code?.rawValue ?? "?") > \(destinationName), \(date), \(basis.rawValue)".printable
  }
}
