internal import FieldCore
internal import FieldFoundation

extension ZoneRules {
  /// Returns the rules of a named zone, such as `America/New_York`, for some decades around today.
  ///
  /// On Apple platforms they are those of Foundation. Elsewhere they are read from the system's files, because
  /// FoundationEssentials has no named zones.
  ///
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.zone` if the system doesn't have the zone.
  init(named name: String) throws(FieldError) {
    guard let rules = Self.known(name) else {
      throw FieldError(
        .transitZone,
        "This system has no rules for the time zone \"\(name.prefix(60))\". Install its tzdata, or "
          + "pass the zone as an offset from UTC.")
    }
    self = rules
  }

  private static let first: Int64 = 0
  /// The end of the year 2069.
  private static let last: Int64 = 3_155_760_000

  /// Creates the rules of a zone of which only the offsets are known, or `nil` if one is impossible.
  ///
  /// It asks for the offset of each day, and between two that differ for the second of the change. No zone has changed
  /// twice within a day.
  init?(from first: Int64, until last: Int64, offset: (Int64) -> Int32) {
    var changes = [Change(start: first, offset: offset(first))]
    var start = first
    while start < last {
      let end = min(start + 86_400, last)
      let (before, after) = (changes[changes.count - 1].offset, offset(end))
      if after != before {
        var (known, change) = (start, end)
        while change - known > 1 {
          let middle = (known + change) / 2
          if offset(middle) == before { known = middle } else { change = middle }
        }
        changes.append(Change(start: change, offset: after))
      }
      start = end
    }
    self.init(changes)
  }

  private static func known(_ name: String) -> ZoneRules? {
    if ["UTC", "Etc/UTC", "GMT", "Etc/GMT"].contains(name) { return ZoneRules(fixed: .utc) }
    #if canImport(Darwin)
      guard let zone = TimeZone(identifier: name) else { return nil }
      return ZoneRules(from: first, until: last) { seconds in
        Int32(clamping: zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
      }
    #else
      let isName = name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
          UInt8(ascii: "+"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
      guard isName, !name.isEmpty, !name.hasPrefix("/") else { return nil }
      for folder in ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"] {
        let url = URL(filePath: folder).appending(path: name)
        guard let bytes = try? LocalFile.bytes(of: url, limit: 1 << 20, advice: "") else {
          continue
        }
        return ZoneFile(bytes)?.rules(until: last)
      }
      return nil
    #endif
  }
}
