@testable internal import FieldCore
@testable internal import FieldFirestore
internal import Foundation

extension Target {
  static let text: [Target] = [wkt, time, percent, big5, polyline]

  private static let wkt = Target(
    "wkt",
    texts: [
      "MULTIPOINT ((121.5831587 24.9971109), (121.58 24.99))", "SRID=4326;POINT Z (1 2 3 4)",
      "POLYGON((1 2,3 4.5e-3,-5 +6),(7,8))", "POINT(１２１．５　２４．９)", "POINT EMPTY",
    ]
  ) { text in
    let found = WellKnownText.positions(in: text)
    hold(found.pairs.allSatisfy { $0.x.isFinite && $0.y.isFinite }, "A number isn't finite")
    let written = found.pairs.map { "(\($0.x) \($0.y))" }.joined(separator: ",")
    let again = WellKnownText.positions(in: "MULTIPOINT (\(written))")
    hold(again.isWhole, "\(written) isn't read completely")
    holdEqual(again.pairs, found.pairs, "The positions")
  }

  private static let time = Target(
    "time",
    texts: [
      "2025-07-22T20:42:19.123456789Z", "2025-07-22 20:42:19+08:00", "1880-01-01T00:00:00.000",
      "Tue, 22 Jul 2025 20:42:19 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994", "民國一百一十四年七月二十二日 下午8時42分", "114/7/22 上午 08:05",
      "2025年7月22日(二) 20點42分", "2025-W30-2", "20250722T204219Z", "7/22/2025 8:42:19 PM",
      "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "22 July 2025 20:42 EST",
    ]
  ) { text in
    for zone in [FixedZone.utc, .taipei] {
      if let instant = TimestampParser(zone: zone).instant(text) {
        hold((0..<1_000_000_000).contains(instant.nanoseconds), "\(instant.nanoseconds) ns")
        hold(instant.date.timeIntervalSince1970.isFinite, "The date isn't finite")
        _ = instant.day
        // Whole milliseconds survive writing and reading. A moment beyond the year 9999 isn't written.
        guard WallTime(instant.date, in: zone).day < .last else { continue }
        let written = TimestampWriter.iso8601(instant.date, in: zone)
        guard let again = TimestampParser(zone: .utc).instant(written) else {
          fail("\(written) can't be read")
        }
        hold(
          abs(again.date.timeIntervalSince(instant.date)) < 0.0011,
          "\(instant.date) became \(written)")
        holdEqual(TimestampWriter.iso8601(again.date, in: zone), written, "Written again")
      }
    }
    if let day = try readable({ try CalendarDay(text) }) {
      holdEqual(try CalendarDay(day.description), day, "The day")
    }
    if let date = HTTPDate.date(from: text, now: Date(timeIntervalSince1970: 1.7e9)) {
      let written = HTTPDate.string(for: date)
      hold(HTTPDate.date(from: written, now: date) == date, "\(date) became \(written)")
    }
    if let timestamp = FirestoreTimestamp(rfc3339: text) {
      holdEqual(try FirestoreTimestamp(timestamp.description), timestamp, "The timestamp")
      // Two readers of the same notation agree, if both accept the offset.
      if let instant = TimestampParser(zone: .utc).instant(text) {
        holdEqual(Int64(instant.seconds), timestamp.seconds, "Seconds")
        holdEqual(Int32(instant.nanoseconds), timestamp.nanoseconds, "Nanoseconds")
      }
    }
    _ = RetryAfter.wait(["Retry-After": text], now: .distantPast, longest: .seconds(60))
  }

  private static let percent = Target(
    "percent",
    texts: [
      "a%20b%C3%A9%zz%4", "https://www.zoo.gov.tw/圖片 (1).jpg?q=a b&c=%41#x#y", "%E8%87%BA",
      "http://user:pw@[::1]:80/a//b/../c?x[]=1", "http://例え.jp/%", " https://a.b/c\n d ",
    ]
  ) { text in
    holdEqual(PercentEncoding.decoded(PercentEncoding.component(text)), text, "Decoded")
    let query = PercentEncoding.query([("n", text), (text, "v")])
    hold(query.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(query) isn't plain ASCII")
    _ = PercentEncoding.decoded(text)
    if let address = PercentEncoding.webAddress(text) {
      hold(["http", "https"].contains(address.scheme?.lowercased()), "The scheme of \(address)")
      hold(address.host(percentEncoded: true)?.isEmpty == false, "\(address) has no host")
      holdEqual(
        PercentEncoding.webAddress(address.absoluteString)?.absoluteString,
        address.absoluteString, "The address")
      let added = try PercentEncoding.url(address, adding: [("n", text)])
      hold(added.absoluteString.contains("n=" + PercentEncoding.component(text)), "\(added)")
    }
  }

  private static let big5 = Target(
    "big5",
    seeds: ["臺北市立動物園", "一\\功許蓋", "ab\u{3000}x"].compactMap { Big5.bytes($0) } + [
      [0x88, 0x62, 0x88, 0x66, 0x87, 0x40, 0xFE, 0xFE], [0xA2, 0xCC, 0xA2, 0xCE, 0x80, 0xFF, 0x81],
    ]
  ) { bytes in
    for isHongKong in [false, true] {
      guard let text = Big5.utf8(bytes, damage: UInt8(ascii: "?"), isHongKong: isHongKong) else {
        fail("Nothing was converted")
      }
      hold(String(validating: text, as: UTF8.self) != nil, "The text isn't UTF-8")
      guard let whole = Big5.utf8(bytes, isHongKong: isHongKong) else { continue }
      holdEqual(text, whole, "The text without damage")
      guard let back = Big5.bytes(String(decoding: whole, as: UTF8.self)) else {
        hold(isHongKong, "The text can't be written")
        continue
      }
      holdEqual(Big5.utf8(back), whole, "The text")
    }
    if let text = try readable({ try UTF16Text.utf8(bytes) }), let text {
      let shown = text.map { $0 == 0xFF ? UInt8(ascii: "?") : $0 }
      hold(String(validating: shown, as: UTF8.self) != nil, "The text isn't UTF-8")
    }
  }

  private static let polyline = Target(
    "polyline", texts: ["_p~iF~ps|U_ulLnnqC_mqNvxq`@", "??", "_p~iF~ps|U", "_izlhA~rlgdF"]
  ) { text in
    for precision in [EncodedPolyline.Precision.five, .six] {
      let line = EncodedPolyline(text: text, precision: precision)
      guard let places = try readable(line.coordinates) else { continue }
      let again = EncodedPolyline(places, precision: precision)
      hold(again.text.utf8.count <= text.utf8.count, "\(again.text) is longer")
      holdEqual(try again.coordinates(), places, "The coordinates")
    }
  }
}
