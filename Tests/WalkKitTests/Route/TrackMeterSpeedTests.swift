import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

/// Prints what measuring and storing cost; of meaning in a release build only.
@Suite(
  "The cost of a route", .heavy,
  .enabled(
    if: ProcessInfo.processInfo.environment["FIELDKIT_TIMES"] != nil,
    "set FIELDKIT_TIMES to have it measured"))
struct TrackMeterSpeedTests {
  @Test("is some hundred nanoseconds a point, and some bytes")
  func costs() throws {
    let walk = try TrackSamples.walk(count: 86_400, seed: 1)
    let clock = ContinuousClock()
    var meter = TrackMeter()
    let metering = clock.measure { for point in walk { meter.add(point) } }
    let route = WalkRoute(segments: [Array(walk[..<7200])])
    var bytes: [UInt8] = []
    let encoding = clock.measure { bytes = route.encoded() }
    let decoding = try clock.measure { _ = try WalkRoute(decoding: bytes) }
    let simplifying = clock.measure { _ = route.simplified(within: .meters(5)) }
    let gpx = clock.measure { _ = route.gpx() }
    print("meter:", metering / 86_400, "a point; figures", clock.measure { _ = meter.figures })
    print("7,200 points:", bytes.count, "bytes, encoded in", encoding, "decoded in", decoding)
    print("simplified in", simplifying, "GPX in", gpx)
    #expect(metering / 86_400 < .microseconds(5))
  }
}
