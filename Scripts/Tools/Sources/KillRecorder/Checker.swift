import FieldCore
import Foundation
import KillSupport
import WalkKit

/// Kills writers, and looks at what they left.
struct Checker {
  private let folder: URL
  private let seed: UInt64
  private var generator: SplitMix
  private var summary = Summary()
  /// The walk of the round as an undisturbed recorder counts it.
  private var meter = TrackMeter()
  private var pointCount = 0
  private var photoCount = 0

  struct Summary {
    var rounds = 0
    var accepted = 0
    var beyond = 0
    var torn = 0
    var walks = 0
    var lost = 0
    var other = 0

    var isGood: Bool { lost == 0 && other == 0 }
  }

  init(_ folder: URL, seed: UInt64) {
    self.folder = folder
    self.seed = seed
    generator = SplitMix(state: seed)
  }

  mutating func run(rounds: Int) async throws -> Bool {
    for round in 1...max(rounds, 1) {
      let pause = UInt32.random(in: 2_000...60_000, using: &generator)
      let said = try KilledWriter.said(writingTo: folder, killedAfter: pause)
      try await check(said, "round \(round), killed after \(pause) µs", isLast: round % 10 == 0)
      summary.rounds += 1
      guard summary.isGood else { break }
    }
    print(
      """
      rounds \(summary.rounds), fixes accepted \(summary.accepted), \
      kept beyond them \(summary.beyond), torn tails \(summary.torn), \
      walks saved \(summary.walks), lost \(summary.lost), other faults \(summary.other) (seed \(seed))
      """)
    return summary.isGood
  }

  private mutating func check(_ said: [Substring], _ round: String, isLast: Bool) async throws {
    for line in said {
      if let number = Int(line) {
        meter.add(try Track.fix(number).point)
        pointCount = number + 1
        summary.accepted += 1
      } else if line == "segment" {
        meter.breakSegment()
      } else if line == "photo" {
        photoCount += 1
      }
    }
    let diary = Track.diary(folder)
    let found = try await diary.unfinished()
    guard found.count == 1, let walk = found.first else {
      return fault("\(round): there are \(found.count) unfinished walks")
    }
    let kept = walk.figures.pointCount
    if kept < pointCount {
      summary.lost += pointCount - kept
      return print("\(round): \(pointCount) fixes were accepted, but only \(kept) exist")
    }
    if kept > pointCount + 1 { return fault("\(round): \(kept) points of \(pointCount)") }
    if kept > pointCount {
      summary.beyond += 1
      meter.add(try Track.fix(pointCount).point)
      pointCount = kept
    }
    if walk.figures != meter.figures {
      fault("\(round): the statistics are \(walk.figures) instead of \(meter.figures)")
    }
    if walk.photoCount < photoCount || walk.photoCount > photoCount + 1 {
      fault("\(round): \(walk.photoCount) photos of \(photoCount)")
    }
    photoCount = walk.photoCount
    if isLast { try await finish(walk, diary, round) }
    try await diary.close()
    try countTorn()
  }

  /// Saves the walk, and looks at each of its points.
  private mutating func finish(
    _ walk: UnfinishedWalk, _ diary: WalkDiary, _ round: String
  ) async throws {
    let saved = try await walk.finish(weather: .clear)
    let points = try await diary.route(of: saved.id).segments.joined()
    if points.count != pointCount || saved.photos.count != photoCount {
      fault("\(round): the walk was saved with \(points.count) points of \(pointCount)")
    }
    for (number, point) in points.enumerated() {
      let wanted = try Track.fix(number).coordinate
      // A stored route is rounded to a ten millionth of a degree.
      guard Track.number(of: point) == number,
        abs(point.coordinate.latitude - wanted.latitude) < 1e-6,
        abs(point.coordinate.longitude - wanted.longitude) < 1e-6
      else { return fault("\(round): point \(number) is \(point)") }
    }
    if try await !diary.unfinished().isEmpty { fault("\(round): the walk is still unfinished") }
    summary.walks += 1
    (meter, pointCount, photoCount) = (TrackMeter(), 0, 0)
  }

  private mutating func countTorn() throws {
    let journals = folder.appending(path: "walks.journals")
    let names = try FileManager.default.contentsOfDirectory(atPath: journals.path)
    for name in names where name.contains(".damaged-") {
      summary.torn += 1
      try FileManager.default.removeItem(at: journals.appending(path: name))
    }
  }

  private mutating func fault(_ what: String) {
    summary.other += 1
    print(what)
  }
}
