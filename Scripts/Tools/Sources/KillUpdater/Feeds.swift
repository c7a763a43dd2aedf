internal import FieldTransit
internal import Foundation
internal import Synchronization

/// A server whose feed is another one at each request, with its number in the name of its first stop.
final class Feeds: Transport {
  private let number: Mutex<Int>

  /// The number of the last feed that was sent.
  var last: Int { number.withLock { $0 } }

  init(first: Int) { number = Mutex(first) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let next = number.withLock { number in
      number += 1
      return number
    }
    return TransportResponse(status: 200, body: .bytes(Self.archive(next)))
  }

  /// Returns the archive of a feed with some hundreds of trips.
  static func archive(_ number: Int) -> [UInt8] {
    var trips = "trip_id,route_id,service_id\n"
    var times = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n"
    for trip in 0..<400 + number % 50 {
      trips += "t\(trip),R,W\n"
      for place in 0..<20 {
        let minute = trip * 3 % 1200 + place * 2
        let time = "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00"
        times += "t\(trip),\(place),S\((place + trip % 7) % 40),\(time),\(time)\n"
      }
    }
    let stops = (0..<40).map { "S\($0),Stop \($0 == 0 ? number : $0),25.0,121.\(100 + $0)\n" }
    return ZipFixture([
      ("agency.txt", "agency_name,agency_url,agency_timezone\nx,https://h.example,UTC\n"),
      ("calendar_dates.txt", "service_id,date,exception_type\nW,20991231,1\n"),
      ("routes.txt", "route_id,route_short_name,route_type\nR,Red,1\n"),
      ("trips.txt", trips), ("stop_times.txt", times),
      ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined()),
    ]).bytes()
  }
}
