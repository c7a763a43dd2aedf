import FieldTransit
import Foundation

/// Writes the wire format of Protocol Buffers.
struct WireFixture {
  private(set) var bytes: [UInt8] = []

  mutating func varint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func number(_ field: UInt64, _ number: Int?) {
    guard let number else { return }
    varint(field << 3)
    varint(UInt64(bitPattern: Int64(number)))
  }

  mutating func text(_ field: UInt64, _ text: String?) {
    guard let text else { return }
    raw(field, Array(text.utf8))
  }

  mutating func raw(_ field: UInt64, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  mutating func float(_ field: UInt64, _ number: Float) {
    varint(field << 3 | 5)
    for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> (place * 8))) }
  }

  mutating func message(_ field: UInt64, _ body: (inout WireFixture) -> Void) {
    var inner = WireFixture()
    body(&inner)
    raw(field, inner.bytes)
  }
}

/// A small message of GTFS Realtime.
struct MessageFixture {
  /// What a message says about a stop of a trip.
  struct Stop {
    var sequence: Int?, stop: String?
    var arrival: Int?, departure: Int?
    var arrivalTime: Int?, departureTime: Int?
    var relationship: Int?
    var assigned: String?, pickup: Int?, dropOff: Int?
  }

  private var wire = WireFixture()
  private var count = 0

  /// Creates a message of a moment, in seconds since 1970.
  init(_ time: Int?) {
    wire.message(1) {
      $0.text(1, "2.0")
      $0.number(3, time)
    }
  }

  var bytes: [UInt8] { wire.bytes }
  func message() throws -> RealtimeMessage { try RealtimeMessage(bytes) }

  mutating func entity(isDeleted: Bool = false, _ body: (inout WireFixture) -> Void) {
    count += 1
    let id = "\(count)"
    wire.message(2) {
      $0.text(1, id)
      if isDeleted { $0.number(2, 1) }
      body(&$0)
    }
  }

  /// Adds what the message says about a trip.
  mutating func trip(
    _ id: String?, on day: String? = "20241218", at time: String? = nil, route: String? = nil,
    direction: Int? = nil, relationship: Int? = nil, delay: Int? = nil, measured: Int? = nil,
    new: (id: String?, day: String?, time: String?)? = nil, headsign: String? = nil,
    isDeleted: Bool = false, wheelchair: Int? = nil, _ stops: [Stop] = []
  ) {
    entity(isDeleted: isDeleted) {
      $0.message(3) { update in
        update.message(1) {
          $0.text(1, id)
          $0.text(2, time)
          $0.text(3, day)
          $0.number(4, relationship)
          $0.text(5, route)
          $0.number(6, direction)
        }
        for stop in stops { update.message(2) { Self.write(stop, &$0) } }
        if let wheelchair { update.message(3) { $0.number(4, wheelchair) } }
        update.number(4, measured)
        update.number(5, delay)
        guard new != nil || headsign != nil else { return }
        update.message(6) {
          $0.text(1, new?.id)
          $0.text(2, new?.day)
          $0.text(3, new?.time)
          $0.text(5, headsign)
        }
      }
    }
  }

  private static func write(_ stop: Stop, _ wire: inout WireFixture) {
    wire.number(1, stop.sequence)
    for (field, delay, time) in [
      (UInt64(2), stop.arrival, stop.arrivalTime), (3, stop.departure, stop.departureTime),
    ] where delay != nil || time != nil {
      wire.message(field) {
        $0.number(1, delay)
        $0.number(2, time)
      }
    }
    wire.text(4, stop.stop)
    wire.number(5, stop.relationship)
    guard stop.assigned != nil || stop.pickup != nil || stop.dropOff != nil else { return }
    wire.message(6) {
      $0.text(1, stop.assigned)
      $0.number(3, stop.pickup)
      $0.number(4, stop.dropOff)
    }
  }
}
