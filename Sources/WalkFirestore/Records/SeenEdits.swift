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
