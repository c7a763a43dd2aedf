import FieldCore
import Foundation
import WalkKit

/// The fix of a number, which is the same in the writer and in the checker.
enum Track {
  static let start = Date(timeIntervalSince1970: 1_767_225_600)

  static func fix(_ number: Int) throws -> LocationFix {
    let turn = Double(number) / 400
    return LocationFix(
      coordinate: try Coordinate(
        latitude: 37.5452335 + 0.004 * sin(turn) + Double(number) * 1e-8,
        longitude: 127.0571024 + 0.005 * cos(turn * 1.1)),
      accuracy: .meters(Double(3 + number % 9)), time: start.addingTimeInterval(Double(number)),
      elevation: 30 + 8 * sin(turn / 3))
  }

  /// The number of a point.
  static func number(of point: TrackPoint) -> Int? {
    point.time.map { Int($0.timeIntervalSince(start).rounded()) }
  }

  static func diary(
    _ folder: URL, _ fixes: FixPolicy = .permissive
  ) -> WalkDiary {
    WalkDiary(
      storage: .directory(folder), transport: NoTransport(),
      recording: RecordingOptions(fixes: fixes, flushInterval: .milliseconds(20)))
  }
}

/// Nothing here asks a server.
struct NoTransport: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(.offline, "This program has no network.")
  }
}
