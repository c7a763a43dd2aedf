internal import FieldCore

/// A time span within a day, in Taipei's time zone.
public struct ZooTimeSpan: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The start, in minutes after midnight.
  public var startMinute: Int
  /// The end, in minutes after midnight; `nil` if only the start is given.
  public var endMinute: Int?

  /// Creates a time span.
  public init(startMinute: Int, endMinute: Int? = nil) {
    self.startMinute = startMinute
    self.endMinute = endMinute
  }

  /// Reads times in the zoo's format: `13:30、14:30`, `09:30~11:30、13:30~15:30`, `13：00-16：00`.
  ///
  /// - Returns: The time spans in order, or `nil` if the text contains anything other than times.
  public static func spans(reading text: String) -> [ZooTimeSpan]? {
    var spans: [ZooTimeSpan] = []
    for part in parts(of: TextFolding.fold(text)) {
      let ends = part.split(omittingEmptySubsequences: false, whereSeparator: isDash)
      guard ends.count <= 2, let start = minute(ends[0]) else { return nil }
      guard ends.count == 2 else {
        spans.append(ZooTimeSpan(startMinute: start))
        continue
      }
      guard let end = minute(ends[1]), end >= start else { return nil }
      spans.append(ZooTimeSpan(startMinute: start, endMinute: end))
    }
    return spans.isEmpty ? nil : spans
  }

  /// Returns the time spans as texts. Blanks separate them, too, except around a dash.
  private static func parts(of text: String) -> [String] {
    var parts: [String] = []
    for piece in text.split(whereSeparator: { "、,;/和及".contains($0) }) {
      var isOpen = false
      for word in piece.split(separator: " ") {
        if isOpen || word.first.map(isDash) == true && !parts.isEmpty {
          parts[parts.count - 1] += word
        } else {
          parts.append(String(word))
        }
        isOpen = word.last.map(isDash) == true
      }
    }
    return parts
  }

  private static func isDash(_ sign: Character) -> Bool { "-~至到".contains(sign) }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0...24).contains(hour),
      (0...59).contains(minute), hour * 60 + minute <= 24 * 60
    else { return nil }
    return hour * 60 + minute
  }

  /// A description of the times, such as `13:30-14:00`.
  public var description: String {
    Self.text(startMinute) + (endMinute.map { "-\(Self.text($0))" } ?? "")
  }

  private static func text(_ minute: Int) -> String {
    "\((minute / 60).digits(2)):\((minute % 60).digits(2))"
  }
}
