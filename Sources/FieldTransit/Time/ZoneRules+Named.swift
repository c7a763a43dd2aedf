internal import FieldCore
internal import FieldFoundation

extension ZoneRules {
  /// Returns the rules of a named zone, such as `America/New_York`, for some decades around today.
  ///
  /// On Apple platforms they are those of Foundation. Elsewhere they are read from the system's files, because
  /// FoundationEssentials has no named zones.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/transitZone`` if the system doesn't have the zone.
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

  private static func known(_ name: String) -> ZoneRules? {
    if ["UTC", "Etc/UTC", "GMT", "Etc/GMT"].contains(name) { return ZoneRules(fixed: .utc) }
    #if canImport(Darwin)
      guard let zone = TimeZone(identifier: name) else { return nil }
      func offset(_ date: Date) -> Int32 { Int32(clamping: zone.secondsFromGMT(for: date)) }
      var date = Date(timeIntervalSince1970: Double(first))
      var changes = [Change(start: .min, offset: offset(date))]
      while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date,
        next.timeIntervalSince1970 < Double(last)
      {
        let change = Change(
          start: Int64(next.timeIntervalSince1970.rounded()), offset: offset(next))
        if change.offset != changes[changes.count - 1].offset { changes.append(change) }
        date = next
      }
      return ZoneRules(changes)
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
