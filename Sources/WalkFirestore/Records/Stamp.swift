internal import FieldCore
internal import FieldFoundation

/// The time of an edit, in a form that orders the edits of all devices.
///
/// It is a hybrid logical clock: the microseconds of the device's clock, but more than any stamp that the
/// device has seen, and the device's own name to break ties. An edit that was made in knowledge of another
/// one is always later, however the clocks are set.
struct Stamp: Hashable, Comparable, Sendable {
  let text: String

  init(text: String) { self.text = text }

  init(microseconds: UInt64, device: String) {
    text = "\(microseconds.digits(16, radix: 16))-\(device)"
  }

  /// The stamp of values that were written without one; earlier than all others.
  static let none = Stamp(text: "")

  /// The time; `nil` if somebody else has written the stamp in another form.
  var microseconds: UInt64? { UInt64(text.prefix { $0 != "-" }, radix: 16) }

  /// The name of the device that made the edit.
  var device: Substring { text.drop { $0 != "-" }.dropFirst() }

  static func < (left: Stamp, right: Stamp) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

/// The clock of a device that makes stamps, as it is stored beside the records.
struct StampClock: Sendable {
  /// The key of the attachment.
  static let key = "clock"

  private(set) var device: String
  private(set) var last: UInt64

  /// Reads a clock, or starts a new one.
  init(_ text: String?, random: () -> Double) {
    let words = (text ?? "").split(separator: " ")
    if words.count == 2, let last = UInt64(words[1], radix: 16) {
      (device, self.last) = (String(words[0]), last)
    } else {
      let number = random()
      let part = UInt32(min(max(number.isFinite ? number : 0, 0), 1) * Double(UInt32.max))
      (device, last) = (String(part, radix: 36), 0)
    }
  }

  var text: String { "\(device) \(String(last, radix: 16))" }

  /// Returns a stamp that is later than all that the clock has seen.
  mutating func next(at now: Date) -> Stamp {
    let seconds = min(max(now.timeIntervalSince1970, 0), 1e12)
    last = max(UInt64(seconds * 1e6), last &+ 1)
    return Stamp(microseconds: last, device: device)
  }

  /// Notes a stamp of another device.
  mutating func see(_ stamp: Stamp) {
    // Beyond the year 30000 it is an error, which must not use up the numbers.
    guard let time = stamp.microseconds, time < 1 << 60 else { return }
    last = max(last, time)
  }
}

/// The edits that another edit was made in knowledge of: the latest of each device, and with it the earlier ones.
struct SeenEdits: Hashable, Sendable {
  private var latest: [Substring: Stamp] = [:]

  init() {}

  init(text: String) {
    for stamp in text.split(separator: " ") { insert(Stamp(text: String(stamp))) }
  }

  var text: String { latest.values.sorted().map(\.text).joined(separator: " ") }

  mutating func insert(_ stamp: Stamp?) {
    guard let stamp, !stamp.text.isEmpty else { return }
    latest[stamp.device] = max(latest[stamp.device] ?? stamp, stamp)
  }

  mutating func formUnion(_ other: SeenEdits?) {
    for stamp in other?.latest.values ?? [:].values { insert(stamp) }
  }

  func contains(_ stamp: Stamp) -> Bool { latest[stamp.device].map { $0 >= stamp } ?? false }
}
