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
    return archive([
      ("agency.txt", "agency_name,agency_url,agency_timezone\nx,https://h.example,UTC\n"),
      ("calendar_dates.txt", "service_id,date,exception_type\nW,20991231,1\n"),
      ("routes.txt", "route_id,route_short_name,route_type\nR,Red,1\n"),
      ("trips.txt", trips), ("stop_times.txt", times),
      ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined()),
    ])
  }

  /// Writes an archive whose files are stored.
  private static func archive(_ files: [(String, String)]) -> [UInt8] {
    var (data, directory) = ([UInt8](), [UInt8]())
    for (name, text) in files {
      let content = Array(text.utf8)
      let size = little(UInt32(content.count))
      let facts =
        [0, 0, 0, 0, 0, 0, 0, 0] + little(checksum(content)) + size + size
        + little(UInt32(name.utf8.count))
      directory +=
        little(0x0201_4B50) + [45, 0, 20, 0] + facts + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        + little(UInt32(data.count)) + Array(name.utf8)
      data += little(0x0403_4B50) + [20, 0] + facts + Array(name.utf8) + content
    }
    let count = little(UInt32(files.count)).prefix(2)
    return data + directory + little(0x0605_4B50) + [0, 0, 0, 0] + count + count
      + little(UInt32(directory.count)) + little(UInt32(data.count)) + [0, 0]
  }

  private static func little(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// The CRC-32 that archives have.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}
