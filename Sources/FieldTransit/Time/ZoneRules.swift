internal import FieldCore

/// The offsets of a time zone from UTC, each from a moment on.
struct ZoneRules: Sendable, Hashable {
  struct Change: Sendable, Hashable {
    /// In seconds since 1970.
    var start: Int64
    /// In seconds, positive east of Greenwich.
    var offset: Int32
  }

  /// The changes by time; the first one starts before everything.
  private(set) var changes: [Change]

  /// Creates rules, or `nil` if the changes aren't in order or an offset is impossible.
  ///
  /// A change to the same offset, as the files of tzdata have them, is left out.
  init?(_ changes: [Change]) {
    guard let first = changes.first, changes.allSatisfy({ $0.offset.magnitude <= 93_600 }),
      zip(changes, changes.dropFirst()).allSatisfy({ $0.start < $1.start })
    else { return nil }
    self.changes = [Change(start: .min, offset: first.offset)]
    for change in changes.dropFirst()
    where change.offset != self.changes[self.changes.count - 1].offset {
      self.changes.append(change)
    }
  }

  /// Creates the rules of a zone that never changes.
  init(fixed zone: FixedZone) {
    changes = [Change(start: .min, offset: Int32(clamping: zone.secondsFromUTC))]
  }

  /// Returns the offset at a moment.
  func offset(at seconds: Int64) -> Int32 {
    changes[changes.partitioningIndex { $0.start > seconds } - 1].offset
  }

  /// Returns the moment from which the times of a service day count: noon minus 12 hours, which isn't midnight on the
  /// days when clocks change.
  func start(ofDay day: Int32) -> Int64 {
    let noon = Int64(day) * 86_400 + 43_200
    let guess = offset(at: noon - Int64(offset(at: noon)))
    return noon - Int64(guess) - 43_200
  }

  /// Returns the day in which a moment is.
  func day(of seconds: Int64) -> Int32 {
    let local = seconds + Int64(offset(at: seconds))
    return Int32(clamping: local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
  }

  /// Returns the rules that matter for moments within a range.
  func limited(to range: ClosedRange<Int64>) -> ZoneRules {
    let first = changes.partitioningIndex { $0.start > range.lowerBound } - 1
    let kept = changes[first...].prefix { $0.start <= range.upperBound }
    return ZoneRules(Array(kept)) ?? self
  }
}
