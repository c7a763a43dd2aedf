import FieldTesting
import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Messages of GTFS Realtime")
struct RealtimeMessageTests {
  private static let time = 1_734_508_800

  /// A message with one of everything.
  private static var full: MessageFixture {
    var fixture = MessageFixture(time)
    fixture.trip(
      "t1", route: "R", delay: -60, measured: time - 20,
      [
        .init(sequence: 1, stop: "A", departure: 90),
        .init(stop: "B", arrivalTime: time, relationship: 0, assigned: "B2", pickup: 1),
      ])
    fixture.entity {
      $0.message(4) {
        $0.message(1) {
          $0.text(1, "t1")
          $0.text(5, "R")
        }
        $0.message(2) {
          $0.float(1, 25.5)
          $0.float(2, 121.25)
          $0.float(3, 90)
          $0.float(5, 12.5)
        }
        $0.number(3, 4)
        $0.number(4, 1)
        $0.number(5, time - 5)
        $0.text(7, "B")
        $0.message(8) {
          $0.text(1, "v1")
          $0.text(2, "1207")
          $0.text(3, "ABC-123")
        }
      }
    }
    fixture.entity {
      $0.message(5) { alert in
        alert.message(1) {
          $0.number(1, time - 60)
          $0.number(2, time + 60)
        }
        alert.message(5) {
          $0.text(1, "agency")
          $0.number(3, 1)
          $0.message(4) { $0.text(1, "t1") }
        }
        alert.message(5) {
          $0.text(2, "R")
          $0.text(5, "A")
        }
        alert.number(6, 9)
        alert.number(7, 3)
        alert.message(8) { $0.message(1) { $0.text(1, "https://example.org") } }
        for (field, text) in [(UInt64(10), "延誤"), (11, "因維修延誤")] {
          alert.message(field) { translated in
            translated.message(1) {
              $0.text(1, text)
              $0.text(2, "zh-TW")
            }
            translated.message(1) {
              $0.text(1, "Delays")
              $0.text(2, "en")
            }
          }
        }
      }
    }
    return fixture
  }

  @Test("A message has its time, the vehicles, and the alerts, with what it says about them")
  func everything() throws {
    let message = try Self.full.message()
    #expect(message.date == Date(timeIntervalSince1970: Double(Self.time)))
    #expect(message.tripCount == 1)
    let vehicle = try #require(message.vehicles.first)
    #expect(
      [vehicle.id, vehicle.label, vehicle.licensePlate, vehicle.tripID, vehicle.routeID]
        == ["v1", "1207", "ABC-123", "t1", "R"])
    #expect(vehicle.coordinate == (try Coordinate(latitude: 25.5, longitude: 121.25)))
    #expect((vehicle.bearing, vehicle.speed) == (90, 12.5))
    #expect((vehicle.stopID, vehicle.status) == ("B", .stopped))
    #expect(vehicle.date == Date(timeIntervalSince1970: Double(Self.time - 5)))
    let alert = try #require(message.alerts.first)
    #expect(alert.id == "3")
    #expect(alert.title(in: ["fr", "zh-TW"]) == "延誤")
    #expect(alert.text(in: ["en-GB"]) == "Delays")
    #expect(alert.title(in: []) == "Delays")
    #expect(alert.links == ["": "https://example.org"])
    #expect((alert.cause, alert.effect) == (9, 3))
    #expect(alert.subjects.map(\.agencyID) == ["agency", nil])
    #expect(alert.subjects.map(\.tripID) == ["t1", nil])
    #expect(alert.subjects.map(\.stopID) == [nil, "A"])
    #expect(alert.subjects.map(\.mode) == [.subway, nil])
    let seconds = [-61, -60, 59, 60].map { Double(Self.time + $0) }
    #expect(
      seconds.map { alert.isActive(at: Date(timeIntervalSince1970: $0)) } == [
        false, true, true, false,
      ])
  }

  @Test("What a message doesn't say is nil")
  func nothing() throws {
    var fixture = MessageFixture(nil)
    fixture.entity {
      $0.message(4) {
        $0.message(2) {
          $0.float(1, 0); $0.float(2, 0)
        }
      }
    }
    fixture.entity { $0.message(5) { _ in } }
    fixture.entity(isDeleted: true) { $0.message(5) { _ in } }
    fixture.trip("gone", isDeleted: true, [.init(stop: "A")])
    let message = try fixture.message()
    #expect(message.date == nil)
    #expect(message.tripCount == 0)
    #expect(message.vehicles == [message.vehicles[0]])
    let vehicle = message.vehicles[0]
    #expect(vehicle.coordinate == nil && vehicle.date == nil && vehicle.tripID == nil)
    #expect(message.alerts.map(\.id) == ["2"])
    #expect(message.alerts[0].title(in: ["en"]) == nil)
    #expect(message.alerts[0].isActive(at: Date(timeIntervalSince1970: 0)))
  }

  @Test(
    "Fields that this version doesn't know are skipped, whatever their type, and groups with them")
  func unknown() throws {
    var wire = WireFixture()
    wire.number(99, 5)
    wire.raw(98, [1, 2, 3])
    wire.float(97, 1)
    // A number of 64 bits, and a group in a group with a field of each type.
    for (tag, content) in [
      (UInt64(96 << 3 | 1), [UInt8](repeating: 7, count: 8)),
      (
        96 << 3 | 3,
        [0x0B, 0x08, 0x01, 0x12, 0x01, 0xFF, 0x15, 1, 2, 3, 4, 0x19]
          + [UInt8](repeating: 0, count: 8) + [0x0C]
      ),
      (96 << 3 | 4, []),
    ] {
      wire.varint(tag)
      for byte in content { wire.varint(UInt64(byte & 0x7F)) }
    }
    let bytes = wire.bytes + Self.full.bytes + wire.bytes
    let message = try RealtimeMessage(bytes)
    #expect(message.tripCount == 1)
    #expect(message.vehicles == (try Self.full.message().vehicles))
    #expect(message.alerts == (try Self.full.message().alerts))
    // A known number with another type is as good as unknown.
    var odd = WireFixture()
    odd.number(1, 3)
    odd.float(2, 3)
    #expect(try RealtimeMessage(Self.full.bytes + odd.bytes).tripCount == 1)
  }

  @Test("A message that ends at any byte is a shorter message or an error with a code")
  func truncated() throws {
    let bytes = Self.full.bytes
    var codes: Set<FieldError.Code> = []
    for end in bytes.indices {
      do {
        let message = try RealtimeMessage(Array(bytes[..<end]))
        #expect(message.date != nil)
      } catch {
        codes.insert(error.code)
      }
    }
    #expect(codes == [.emptyBody, .cut])
  }

  /// What isn't a message, and the code of its error.
  private static let broken: [(bytes: [UInt8], code: FieldError.Code)] = {
    let page = Array("<!DOCTYPE html><title>Sign in</title>".utf8)
    let json = Array("{\"header\":{}}".utf8)
    let endless = [UInt8](repeating: 0x80, count: 10)
    let groups = [UInt8](repeating: 0x0B, count: 100)
    let huge = [UInt8](repeating: 0xFF, count: 9)
    return [
      ([], .emptyBody), (page, .notData), (json, .notData), ([0x12, 0x00], .notData),
      ([0x08, 0x01], .notData),
      // A number of 11 bytes, and one that doesn't end.
      ([0x08] + endless + [0x01], .malformed), ([0x08, 0x80], .cut),
      // Field 0, the wire types 6 and 7, and a tag of more than 32 bits.
      ([0x00, 0x00], .malformed), ([0x0E], .malformed), ([0x0F], .malformed),
      ([0x88, 0x80, 0x80, 0x80, 0x10, 0], .malformed),
      // The end of a group that hasn't begun, and of another one, and a wire type that doesn't exist in a group.
      ([0x0C], .malformed), ([0x0B, 0x14], .malformed), ([0x0B, 0x0E], .malformed),
      // A group without an end, groups that are nested too deeply, and lengths beyond the end.
      ([0x0B, 0x08, 0x01], .cut), (groups, .malformed), ([0x0A, 0x05, 0x01], .cut),
      ([0x0A] + huge + [0x01], .cut), ([0x09, 0x01], .cut), ([0x0D, 0x01], .cut),
    ]
  }()

  @Test("What isn't a message has its error code", arguments: broken)
  func refused(bytes: [UInt8], code: FieldError.Code) {
    #expect {
      try RealtimeMessage(bytes)
    } throws: {
      ($0 as? FieldError)?.code == code
    }
  }

  @Test("A message is downloaded with any transport, and errors have its operation")
  func downloaded() async throws {
    let url = try #require(URL(string: "https://example.org/trips.pb"))
    let bytes = Self.full.bytes
    let transport = StubTransport {
      $0.on("transit.realtime", respond: .bytes(bytes))
    }
    let message = try await RealtimeMessage(from: url, transport: transport, fields: ["Key": "1"])
    #expect(message.tripCount == 1)
    for (stub, code) in [
      (StubTransport { $0.on("transit.realtime", respond: .status(503)) }, FieldError.Code.status),
      (StubTransport { $0.on("transit.realtime", respond: .bytes([0x0A, 9])) }, .cut),
    ] {
      await #expect {
        try await RealtimeMessage(from: url, transport: stub)
      } throws: {
        ($0 as? FieldError)?.code == code && ($0 as? FieldError)?.operation == "transit.realtime"
      }
    }
  }
}
