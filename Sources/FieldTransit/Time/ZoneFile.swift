internal import FieldCore

/// A compiled time zone of the system (TZif, RFC 8536).
struct ZoneFile {
  private var changes: [ZoneRules.Change] = []
  /// The rule for the time after the last change, if clocks go on changing.
  private var rule: ZoneRule?

  /// Reads a file, or returns `nil` if it isn't one.
  init?(_ bytes: [UInt8]) {
    guard let first = Header(bytes, at: 0) else { return nil }
    if first.version >= 2 {
      guard let second = Header(bytes, at: 44 + first.size(wide: false)),
        read(bytes, second, wide: true)
      else { return nil }
      let footer = second.start + second.size(wide: true)
      if footer < bytes.count, bytes[footer] == 0x0A {
        rule = ZoneRule(bytes[(footer + 1)...].prefix { $0 != 0x0A })
      }
    } else {
      guard read(bytes, first, wide: false) else { return nil }
    }
  }

  /// Returns the changes, continued by the rule.
  func rules(until end: Int64) -> ZoneRules? {
    var changes = changes
    if let rule {
      let last = changes.count > 1 ? changes[changes.count - 1].start : 0
      for change in rule.changes(after: last, until: end) { changes.append(change) }
    }
    return ZoneRules(changes)
  }

  private mutating func read(_ bytes: [UInt8], _ header: Header, wide: Bool) -> Bool {
    let width = wide ? 8 : 4
    guard header.typeCount > 0, header.start + header.size(wide: wide) <= bytes.count else {
      return false
    }
    let indexes = header.start + header.timeCount * width
    let types = indexes + header.timeCount
    func offset(_ type: Int) -> Int32 {
      Int32(truncatingIfNeeded: Self.number(bytes, at: types + type * 6, width: 4))
    }
    changes = [.init(start: .min, offset: offset(0))]
    for index in 0..<header.timeCount {
      let type = Int(bytes[indexes + index])
      guard type < header.typeCount else { return false }
      changes.append(
        .init(
          start: Self.number(bytes, at: header.start + index * width, width: width),
          offset: offset(type)))
    }
    // Some files begin with a change before everything.
    if changes.count > 1, changes[1].start == .min { changes.removeFirst() }
    return true
  }

  /// Returns a big-endian number with a sign.
  private static func number(_ bytes: [UInt8], at place: Int, width: Int) -> Int64 {
    let start: Int64 = bytes[place] & 0x80 == 0 ? 0 : -1
    return bytes[place..<place + width].reduce(start) { $0 << 8 | Int64($1) }
  }

  private struct Header {
    let version: Int
    /// The offset of the data.
    let start: Int
    private var counts: [Int] = []

    init?(_ bytes: [UInt8], at place: Int) {
      guard place <= bytes.count - 44, Array(bytes[place..<place + 4]) == Array("TZif".utf8) else {
        return nil
      }
      version = bytes[place + 4] == 0 ? 1 : Int(bytes[place + 4]) - 0x30
      start = place + 44
      for field in 0..<6 {
        let count = ZoneFile.number(bytes, at: place + 20 + field * 4, width: 4)
        guard (0...1_000_000).contains(count) else { return nil }
        counts.append(Int(count))
      }
    }

    var timeCount: Int { counts[3] }
    var typeCount: Int { counts[4] }

    /// The length of the data.
    func size(wide: Bool) -> Int {
      let width = wide ? 8 : 4
      return counts[3] * (width + 1) + counts[4] * 6 + counts[5] + counts[2] * (width + 4)
        + counts[1] + counts[0]
    }
  }
}
