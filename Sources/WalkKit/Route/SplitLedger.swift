internal import FieldCore

/// The accounts of the splits, among which the times and climbs of a stretch are divided by length.
struct SplitLedger: Sendable {
  /// The maximum number of splits, which bounds the cost of a jump around the earth.
  private static let mostSplits = 10_000

  private struct Account {
    /// The time at which the split began; `nil` at the beginning of a segment or after a clock
    /// change.
    var start: Double?
    var recorded: Double?
    var still = 0.0
    var climb: Double?
    var descent: Double?
  }

  private let length: Double
  private var accounts: [Account] = [Account()]

  init(length: Double) { self.length = length > 0 ? length : .infinity }

  private func index(at distance: Double) -> Int {
    let position = distance / length
    return position < Double(accounts.count)
      ? Int(limiting: position.rounded(.down)) : accounts.count - 1
  }

  mutating func extend(to distance: Double) {
    while accounts.count < Self.mostSplits, distance >= Double(accounts.count) * length {
      accounts.append(Account())
    }
  }

  /// Returns the splits that a stretch crosses, each with its share and its start within the
  /// stretch.
  private func shares(
    from start: Double, to end: Double
  ) -> [(index: Int, share: Double, offset: Double)] {
    let (first, last) = (index(at: start), index(at: end))
    guard first < last else { return [(last, 1, 0)] }
    return (first...last).map { index in
      let from = max(start, Double(index) * length)
      let to = index == last ? end : Double(index + 1) * length
      return (index, (to - from) / (end - start), (from - start) / (end - start))
    }
  }

  /// Marks the following times as unrelated to the previous ones.
  mutating func beginTimes() { accounts[accounts.count - 1].start = nil }

  mutating func spread(
    from start: (time: Double, distance: Double), to end: (time: Double, distance: Double)
  ) {
    let duration = end.time - start.time
    for (index, share, offset) in shares(from: start.distance, to: end.distance) {
      accounts[index].recorded = (accounts[index].recorded ?? 0) + duration * share
      if offset > 0 { accounts[index].start = start.time + duration * offset }
    }
  }

  /// Divides an ascent or descent over the stretch in which it accumulated.
  mutating func spread(_ change: ClimbMeter.Change, to end: Double) {
    for (index, share, _) in shares(from: change.start, to: end) {
      let part = change.meters * share
      accounts[index].climb = (accounts[index].climb ?? 0) + max(part, 0)
      accounts[index].descent = (accounts[index].descent ?? 0) + max(-part, 0)
    }
  }

  /// Adds a stop, which may extend back into completed splits.
  mutating func add(still stop: ClosedRange<Double>) {
    var end = stop.upperBound
    for index in accounts.indices.reversed() {
      let start = max(accounts[index].start ?? -.infinity, stop.lowerBound)
      if start < end {
        accounts[index].still += end - start
        end = start
      }
      if end <= stop.lowerBound || accounts[index].start == nil { break }
    }
  }

  func splits(total: Double) -> [Split] {
    guard length.isFinite else { return [] }
    return accounts.indices.compactMap { index in
      let account = accounts[index]
      let isLast = index == accounts.count - 1
      let meters = isLast ? total - Double(index) * length : length
      guard meters > 0 || account.recorded ?? 0 > 0 else { return nil }
      return Split(
        index: index, distance: .meters(meters), isComplete: !isLast || meters >= length,
        recordedTime: account.recorded.map(Duration.init(measured:)),
        movingTime: account.recorded.map {
          Duration(measured: max($0 - account.still, 0))
        },
        climb: account.climb.map(Distance.meters), descent: account.descent.map(Distance.meters))
    }
  }
}
