internal import FieldCore

/// Makes the keys of records whose source has none that lasts.
enum ZooKey {
  /// A key of a name and a place: `雙峰駱駝@24.9950,121.5856`.
  ///
  /// The place counts to four digits (11 metres): the split columns of 2026 have no more, and the seven
  /// digits of earlier years round to the same.
  static func text(name: String, place: Coordinate?) -> String {
    let name = TextFolding.fold(name)
    guard let place else { return name }
    return "\(name)@\(degrees(place.latitude)),\(degrees(place.longitude))"
  }

  /// Degrees with exactly four digits of fraction.
  private static func degrees(_ degrees: Double) -> String {
    let count = Int((degrees * 10_000).rounded())
    let digits = String(count.magnitude % 10_000)
    let padded = String(repeating: "0", count: 4 - digits.count) + digits
    return "\(count < 0 ? "-" : "")\(count.magnitude / 10_000).\(padded)"
  }
}

/// Tells records apart that have the same key in one delivery: `…#2` is the second.
struct ZooKeyCounter {
  private var used: Set<String> = []
  private var counts: [String: Int] = [:]

  /// The key, with a number behind it when it was given before.
  mutating func unique(_ key: String) -> String {
    var candidate = key
    // A name may end like a number of ours, so the next number may be taken too.
    while !used.insert(candidate).inserted {
      let count = counts[key, default: 1] + 1
      counts[key] = count
      candidate = "\(key)#\(count)"
    }
    return candidate
  }
}
