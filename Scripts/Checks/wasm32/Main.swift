// The expressions that a platform with an `Int` of 32 bits must compute like any other.
import FieldFoundation

@main
struct Main {
  private nonisolated(unsafe) static var count = 0
  private nonisolated(unsafe) static var failures = 0

  private static func check<Value: Equatable>(_ name: StaticString, _ value: Value?, _ expected: Value?) {
    count += 1
    if value != expected {
      failures += 1
      print("wasm32: wrong: \(name)")
    }
  }

  static func main() {
    check("Int", Int.bitWidth, 32)
    times()
    numbers()
    storedForms()
    precondition(failures == 0)
    print("wasm32: \(count) expressions are right with an Int of 32 bits")
  }

  private static func seconds(_ text: String) -> Int64? { TimestampParser(zone: .utc).instant(text)?.seconds }

  private static func times() {
    check("before 1901", seconds("1889-05-06T00:00:00Z"), -2_545_257_600)
    check("after 2038", seconds("2099-12-31T23:59:59Z"), 4_102_444_799)
    check("the last second", seconds("9999-12-31T23:59:59Z"), 253_402_300_799)
    check("seconds since 1970", seconds("4000000000"), 4_000_000_000)
    check("milliseconds since 1970", seconds("1390000000000"), 1_390_000_000)
    check("a count", seconds("@5000000000"), 5_000_000_000)
    check("/Date", seconds("/Date(1390000000000)/"), 1_390_000_000)
    check("/Date before 1970", seconds("/Date(-4390000000000)/"), -4_390_000_000)
    check("a fraction", TimestampParser(zone: .utc).instant("2020-01-02T03:04:05.999999999Z")?.nanoseconds, 999_999_999)
    let late = Date(timeIntervalSince1970: 253_402_300_799)
    check("a written date", TimestampWriter.iso8601(late), "9999-12-31T23:59:59.000Z")
    check("a date out of range", TimestampWriter.iso8601(Date(timeIntervalSince1970: 1e300)), "9999-12-31T23:59:59.999Z")
    check("a written date before 1901", TimestampWriter.iso8601(Date(timeIntervalSince1970: -2_545_257_600.5)),
      "1889-05-05T23:59:59.500Z")
    check("a header field", HTTPDate.date(from: "Sat, 06 Nov 2094 08:49:37 GMT", now: late)?.timeIntervalSince1970,
      3_939_871_777)
    check("a day", CalendarDay(Date(timeIntervalSince1970: 1e300), in: .utc).year, 9999)
    check("a day before 1901", CalendarDay(Date(timeIntervalSince1970: -2_545_257_600), in: .utc).description, "1889-05-06")
    check("a day's start", CalendarDay.last.start(in: .utc).timeIntervalSince1970, 253_402_214_400)
    check("days", CalendarDay.first.days(until: .last), 3_652_424)
    check("a timestamp", FirestoreTimestamp(rfc3339: "9999-12-31T23:59:59.999999999Z")?.seconds, 253_402_300_799)
    check("a timestamp of a date", FirestoreTimestamp(late).seconds, 253_402_300_799)
    check("a timestamp's date", FirestoreTimestamp(rfc3339: "0001-01-01T00:00:00Z")?.seconds, -62_135_596_800)
  }

  private static func integer(_ text: String) -> Int64? {
    Array(text.utf8).withByteSpan { DecimalText.integer($0, $0.indices) }
  }

  private static func double(_ text: String) -> Double? {
    Array(text.utf8).withByteSpan { DecimalText.double($0, $0.indices) }
  }

  private static func numbers() {
    check("a long number", integer("5000000000"), 5_000_000_000)
    check("a long negative number", integer("-5000000000"), -5_000_000_000)
    check("the smallest number", integer("-9223372036854775808"), .min)
    check("a number that doesn't fit", integer("9223372036854775808"), nil)
    check("a power", integer("1e12"), 1_000_000_000_000)
    check("grouped digits", integer("60,000,000,000"), 60_000_000_000)
    check("a mass", double("60000000000.5"), 60_000_000_000.5)
    check("an exact quotient", double("9007199254740991e-3"), 9_007_199_254_740.991)
    check("a limited number", Int64(limiting: 1e300), .max)
    check("a limited duration", Duration(limiting: 1e300), Duration.longest)
    check("the longest duration", Duration.longest, .seconds(Int64(1_099_511_627_776)))
    check("a key of 64 bits", ImportID.make("walk", ["a", "b"]), "walk-\(expectedHalf(0xCBF2_9CE4_8422_2325))\(expectedHalf(0x8422_2325_CBF2_9CE4))")
  }

  private static func expectedHalf(_ start: UInt64) -> String {
    var half = start
    for byte: UInt64 in [0x61, 0xFF, 0x62, 0xFF] { half = (half ^ byte) &* 1_099_511_628_211 }
    let text = String(half, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }

  private static func storedForms() {
    let bytes = Array("123456789".utf8)
    check("a checksum", CRC32C.checksum(bytes, 0..<9), 0xE306_9283)
    check("a digest", SHA256.digest(of: Array("abc".utf8)).prefix(4).map { $0 }, [0xBA, 0x78, 0x16, 0xBF])
    let column: [Int64] = [0, 5_000_000_000, -5_000_000_000, .max / 4, 1_700_000_000_000, 1_700_000_000_001]
    var writer = RiceWriter()
    writer.write(column)
    var reader = RiceReader(writer.finish()[...])
    check("a column of a route", try? reader.column(column.count), column)
    let line = EncodedPolyline([Coordinate(38.5, -120.2), Coordinate(40.7, -120.95), Coordinate(43.252, -126.453)])
    check("a line", line.text, "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
    check("a line's end", try? line.coordinates().last, Coordinate(43.252, -126.453))
    let far = EncodedPolyline([Coordinate(90, 360), Coordinate(-90, -180)], precision: .six)
    check("a line with six decimals", try? far.coordinates().last, Coordinate(-90, -180))
    let header = StoreFileHeader(recordName: "Note", creationID: Array(1...16))
    check("a header", try? StoreFileHeader.read(header.bytes), .header(header, end: header.bytes.count))
    check("a seed", header.hashSeed, 0x0807_0605_0403_0201)
  }
}
