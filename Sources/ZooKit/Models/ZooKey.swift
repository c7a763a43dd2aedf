internal import FieldCore

/// Creates IDs for records whose source has no lasting key.
enum ZooKey {
  /// Returns the ID for a name and a place: `雙峰駱駝@24.9950,121.5856`.
  ///
  /// The place is rounded to four decimal places (11 meters): the split columns of 2026 have no
  /// more, and the seven decimal places of earlier years round to the same values.
  static func text(name: String, place: Coordinate?) -> String {
    let name = TextFolding.fold(name)
    guard let place else { return name }
    return "\(name)@\(degrees(place.latitude)),\(degrees(place.longitude))"
  }

  /// Returns degrees with exactly four fraction digits.
  private static func degrees(_ degrees: Double) -> String {
    let count = Int((degrees * 10_000).rounded())
    let (whole, rest) = count.magnitude.quotientAndRemainder(dividingBy: 10_000)
    return "\(count < 0 ? "-" : "")\(whole).\(rest.digits(4))"
  }
}

/// Distinguishes records with the same key in one batch: `…#2` is the second.
struct ZooKeyCounter {
  private var used: Set<String> = []
  private var counts: [String: Int] = [:]

  /// Returns the ID, with a number appended if it was returned before.
  mutating func unique<Subject>(_ id: RecordID<Subject>) -> RecordID<Subject> {
    let key = id.rawValue
    var candidate = key
    // A name may end like one of these numbers, so the next number may be taken, too.
    while !used.insert(candidate).inserted {
      let count = counts[key, default: 1] + 1
      counts[key] = count
      candidate = "\(key)#\(count)"
    }
    return RecordID(rawValue: candidate)
  }
}
