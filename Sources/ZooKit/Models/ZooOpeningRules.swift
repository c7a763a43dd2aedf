public import FieldCore

/// The rules in an area's memo for the days on which it is open.
///
/// Rules are evaluated for a day that you pass, so updates don't depend on the time. In a view that
/// shows whether an area is open today, evaluate them again when the day changes.
///
/// | memo | rule |
/// |---|---|
/// | `每週一休館，入館門票：…` | closed every Monday |
/// | `每月第二個週一休館` | closed on the second Monday of the month |
/// | `每週六、日13:30-15:30開放參觀` | open only on Saturdays and Sundays, at those times |
/// | `開放時間：每週四 14:00-16:00` | open only on Thursdays, at those times |
public struct ZooOpeningRules: Sendable, Hashable, Codable {
  /// The days on which the area is closed.
  public var closed: [ZooDayRule]
  /// The only days on which the area is open; empty if the memo doesn't limit them.
  public var open: [ZooDayRule]
  /// The times at which the area is open on the days in ``open``.
  public var times: [ZooTimeSpan]

  /// Creates rules.
  public init(closed: [ZooDayRule] = [], open: [ZooDayRule] = [], times: [ZooTimeSpan] = []) {
    self.closed = closed
    self.open = open
    self.times = times
  }

  /// Returns a Boolean value that indicates whether the area is closed on a day.
  public func isClosed(on day: CalendarDay) -> Bool {
    closed.contains { $0.includes(day) } || !open.isEmpty && !open.contains { $0.includes(day) }
  }

  /// Creates rules by reading a memo; returns `nil` if it contains none.
  public init?(reading memo: String) {
    self.init()
    // Each sentence makes one statement; the words after a rule say what it is about.
    for sentence in memo.streamSafe.split(whereSeparator: { "，。,；;\n\r".contains($0) }) {
      read(String(sentence))
    }
    if closed.isEmpty && open.isEmpty { return nil }
  }

  private mutating func read(_ sentence: String) {
    let folded = TextFolding.fold(sentence)
    let isClosed = ["休館", "閉館", "休園", "不開放", "公休"].contains { ZooWords.contains(folded, $0) }
    let isOpen = !isClosed && ZooWords.contains(folded, "開放")
    guard isClosed || isOpen else { return }
    var reader = ZooDayRuleReader(sentence)
    while !reader.isAtEnd {
      guard let rule = reader.rule() else {
        reader.skip()
        continue
      }
      if isClosed { closed.append(rule) } else { open.append(rule) }
    }
    guard isOpen, !open.isEmpty else { return }
    let isOfTime = { (sign: Character) in sign.isASCII && (sign.isNumber || ":-~".contains(sign)) }
    for run in folded.split(whereSeparator: { !isOfTime($0) }) {
      times += ZooTimeSpan.spans(reading: String(run)) ?? []
    }
  }
}
