internal import FieldXML
internal import Foundation

extension Suites {
  /// Reads the date tests of feedparser as the dates of RSS items.
  ///
  /// Feedparser has a parser for each form, and its Korean parsers assume Korean time. ``FeedDocument``
  /// reads all forms, so that these cases get the zone of Seoul, and all others UTC.
  static func dateSuites(in directory: URL) async throws -> [SuiteResult] {
    var result = SuiteResult(name: "feedparser dates on FeedDocument")
    let file = directory.appending(path: "feedparser/tests/test_date_parsers.py")
    guard let source = try? String(contentsOf: file, encoding: .utf8) else {
      result.skipped = "\(file.path()) is missing"
      return [result]
    }
    let cases = source.matches(
      of: /\(\s*_parse_date_(\w+),\s*"((?:[^"\\]|\\.)*)",\s*(None|\([\d, ]+\)),?\s*\)/)
    for match in cases {
      let text = unescaped(match.2)
      let isKorean = match.1 == "nate" || match.1 == "onblog"
      let expected = instant(match.3)
      let actual = try published(text, in: isKorean ? .seoul : .utc)
      let isEqual = actual == expected
      result.record(
        "\(match.1) \"\(text)\"",
        isEqual ? nil : "expected \(description(expected)), not \(description(actual))")
    }
    return [result]
  }

  /// Returns the whole seconds since 1970 of an item's date.
  private static func published(_ text: String, in zone: FixedZone) throws -> Int? {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    let feed = """
      <rss version="2.0"><channel><item><pubDate>\(escaped)</pubDate></item></channel></rss>
      """
    let document = try FeedDocument(reading: Array(feed.utf8), zone: zone)
    return document.items.first?.published.map { Int($0.timeIntervalSince1970.rounded(.down)) }
  }

  /// Returns the whole seconds since 1970 of a `struct_time` in UTC.
  private static func instant(_ tuple: Substring) -> Int? {
    let numbers = tuple.matches(of: /\d+/).compactMap { Int($0.output) }
    guard numbers.count == 9 else { return nil }
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    // `Calendar` is the Julian one before 1582, and `struct_time` is not.
    let components = DateComponents(
      year: numbers[0] + (numbers[0] < 1582 ? 2000 : 0), month: numbers[1], day: numbers[2],
      hour: numbers[3], minute: numbers[4], second: numbers[5])
    guard let date = calendar.date(from: components) else { return nil }
    // 2,000 years are five times 146,097 days.
    let shift = numbers[0] < 1582 ? 5 * 146_097 * 86_400 : 0
    return Int(date.timeIntervalSince1970) - shift
  }

  /// Returns the text of a Python literal with `\u` escapes.
  private static func unescaped(_ literal: Substring) -> String {
    String(literal).replacing(/\\u([0-9a-f]{4})/) { match in
      UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? "?"
    }
  }

  private static func description(_ seconds: Int?) -> String {
    seconds.map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) } ?? "nil"
  }
}
