import FieldKit
import Foundation

/// The output of `day-out walk --json` for a file; values that the file lacks are null, not zero.
struct WalkReport: Encodable {
  let file: String
  /// The points of all tracks with valid coordinates; the others are `failures`.
  let points: Int
  /// Segments of all tracks, empty ones among them.
  let segments: Int
  let meters: Double
  /// The meters without those that only the noise of the receiver walked.
  let walkedMeters: Double
  let elapsedSeconds: Double?
  let movingSeconds: Double?
  let climbMeters: Double?
  let descentMeters: Double?
  /// How many points something is odd about, and what: a point can have several issues.
  let flagged: Int
  let issues: [String: Int]
  let failures: Int
  /// The times, elevations, and accuracies that couldn't be read; their points are counted.
  let unreadableValues: Int
  /// Where the file isn't well-formed; null when all of it is.
  let fault: String?
  let splits: [Split]

  private enum CodingKeys: String, CodingKey {
    case file, points, segments, meters, walkedMeters, elapsedSeconds, movingSeconds
    case climbMeters, descentMeters, flagged, issues, failures, unreadableValues, fault
  }

  init(_ file: String, _ document: GPXDocument, _ options: TrackMeter.Options) {
    self.file = file
    // Without a track, a planned route is better than nothing.
    let hasTrack = document.tracks.contains { $0.pointCount > 0 }
    let route = WalkRoute(
      tracks: hasTrack || document.routes.isEmpty ? document.tracks : document.routes)
    let figures = route.figures(options)
    let review = route.review()
    points = figures.pointCount
    segments = route.segments.count
    meters = figures.distance.meters
    walkedMeters = route.denoised().distance.meters
    // In whole milliseconds, because dividing durations introduces rounding errors.
    elapsedSeconds = figures.elapsedTime.map { ($0 / .milliseconds(1)).rounded() / 1000 }
    movingSeconds = figures.movingTime.map { ($0 / .milliseconds(1)).rounded() / 1000 }
    climbMeters = figures.climb?.meters
    descentMeters = figures.descent?.meters
    flagged = review.flaggedCount
    issues = Dictionary(
      uniqueKeysWithValues: review.counts.map { ($0.key.rawValue, $0.value) })
    failures = document.failures.count
    unreadableValues = document.unreadableValues.count
    fault = document.fault.map(\.description)
    splits = figures.splits
  }

  /// As synthesized, but that a missing value is null and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(points, forKey: .points)
    try container.encode(segments, forKey: .segments)
    try container.encode(meters, forKey: .meters)
    try container.encode(walkedMeters, forKey: .walkedMeters)
    try container.encode(elapsedSeconds, forKey: .elapsedSeconds)
    try container.encode(movingSeconds, forKey: .movingSeconds)
    try container.encode(climbMeters, forKey: .climbMeters)
    try container.encode(descentMeters, forKey: .descentMeters)
    try container.encode(flagged, forKey: .flagged)
    try container.encode(issues, forKey: .issues)
    try container.encode(failures, forKey: .failures)
    try container.encode(unreadableValues, forKey: .unreadableValues)
    try container.encode(fault, forKey: .fault)
  }

  func printTables() {
    var figures = Table(file, "")
    figures.add("points", "\(points)")
    figures.add("segments", "\(segments)")
    figures.add("meters", Self.text(meters, digits: 1))
    figures.add("  without noise", Self.text(walkedMeters, digits: 1))
    figures.add("elapsed", Self.time(elapsedSeconds))
    figures.add("moving", Self.time(movingSeconds))
    figures.add("climb, m", Self.text(climbMeters))
    figures.add("descent, m", Self.text(descentMeters))
    figures.add("flagged", "\(flagged)")
    for (kind, count) in issues.sorted(by: { $0.key < $1.key }) {
      figures.add("  \(kind)", "\(count)")
    }
    figures.print()
    var table = Table("split, km", "moving", "climb, m")
    for split in splits {
      table.add(
        Self.text((Double(split.index) * 1000 + split.distance.meters) / 1000, digits: 2),
        Self.time(split.movingTime.map { $0 / .seconds(1) }), Self.text(split.climb?.meters))
    }
    if splits.count > 1 { table.print() }
  }

  private static func text(_ value: Double?, digits: Int = 0) -> String {
    value.map { NumberStyle.plain.string($0, fractionDigits: digits) } ?? "-"
  }

  /// Hours, minutes and seconds.
  private static func time(_ seconds: Double?) -> String {
    guard let seconds else { return "-" }
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
