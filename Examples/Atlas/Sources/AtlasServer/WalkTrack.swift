import FieldKit
import Foundation

/// A walk as a receiver delivers it.
struct WalkTrack: Sendable {
  /// One delivery of the receiver.
  struct Step: Sendable {
    let latitude: Double
    let longitude: Double
    let elevation: Double
    var accuracy: Double
    /// The seconds between the receiver's time and the present; 0 for a good fix.
    var lag = 0.0
    /// The seconds since the delivery before.
    var wait = 3.0
  }

  let steps: [Step]
  /// The west, south, east, and north of the map.
  let box: [Double]
  /// A Boolean value that indicates whether somebody has walked here.
  let isRecorded: Bool

  /// A made-up round over a hill, with a wrong fix every now and then.
  static let madeUp = WalkTrack(
    steps: madeUpSteps, box: [121.567, 24.9915, 121.585, 25.0055], isRecorded: false)

  init(steps: [Step], box: [Double], isRecorded: Bool) {
    self.steps = steps
    self.box = box
    self.isRecorded = isRecorded
  }

  /// Reads the points of a recorded track from a GPX file.
  ///
  /// A file contains what a receiver had kept. If it says nothing about accuracy, one fix in 32 is therefore
  /// delivered with a radius of 120 meters or half a minute late, always the same ones.
  init(contentsOf file: URL) throws {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw FieldError(.io, "\(file.path) can't be read.", underlying: error)
    }
    let points = Array(try GPXDocument(data: data).tracks.flatMap(\.segments).joined())
    let hasAccuracy = points.contains { $0.accuracy != nil }
    var random = SplitMix(state: 0x4650_58)
    var last: TrackPoint?
    var steps: [Step] = []
    for point in points {
      let meters = last.map { $0.coordinate.distance(to: point.coordinate).meters } ?? 0
      let recorded = last.flatMap { last in
        point.time.flatMap { time in last.time.map { time.timeIntervalSince($0) } }
      }
      // Without times, at a walking pace.
      let wait = recorded.flatMap { 1...600 ~= $0 ? $0 : nil } ?? min(max(meters / 1.4, 1), 600)
      var step = Step(
        latitude: point.coordinate.latitude, longitude: point.coordinate.longitude,
        elevation: point.elevation ?? last?.elevation ?? 0, accuracy: point.accuracy?.meters ?? 5,
        wait: wait)
      switch hasAccuracy ? nil : random.next() % 64 {
      case 0: step.accuracy = 120
      case 1: step.lag = 30
      default: break
      }
      steps.append(step)
      last = point
    }
    guard steps.count > 120 else {
      throw FieldError(.invalidInput, "\(file.lastPathComponent) has fewer than 120 points.")
    }
    let (west, east) = (steps.map(\.longitude).min() ?? 0, steps.map(\.longitude).max() ?? 0)
    let (south, north) = (steps.map(\.latitude).min() ?? 0, steps.map(\.latitude).max() ?? 0)
    let margin = max(east - west, north - south, 0.001) * 0.06
    self.init(
      steps: steps, box: [west - margin, south - margin, east + margin, north + margin],
      isRecorded: true)
  }

  private static let madeUpSteps: [Step] = {
    var random = SplitMix(state: 0x57_414C_4B)
    var steps: [Step] = []
    for number in 0..<900 {
      let part = Double(number) / 900
      let angle = 2 * Double.pi * part
      let reach = 1 + 0.28 * sin(3 * angle + 0.6) + 0.12 * cos(7 * angle)
      let latitude = 24.9985 + 0.0048 * reach * sin(angle) + random.normal() * 0.000006
      let longitude = 121.5760 + 0.0058 * reach * cos(angle) + random.normal() * 0.000006
      let hill = 46 + 92 * pow(sin(angle / 2), 2) + 11 * sin(5 * angle)
      steps.append(
        Step(
          latitude: latitude, longitude: longitude, elevation: hill + random.normal() * 0.4,
          accuracy: 4 + random.unit() * 4))
      switch number {
      case 140: steps.append(Step(latitude: 0, longitude: 0, elevation: 0, accuracy: 5))
      case 215, 216:
        steps.append(
          Step(
            latitude: latitude + 0.031, longitude: longitude - 0.02, elevation: hill, accuracy: 9))
      case 330:
        steps.append(
          Step(latitude: latitude + 0.003, longitude: longitude, elevation: hill, accuracy: 420))
      case 470:
        steps.append(
          Step(latitude: latitude, longitude: longitude, elevation: hill, accuracy: 6, lag: 600))
      case 610:
        steps.append(Step(latitude: latitude, longitude: longitude, elevation: hill, accuracy: -1))
      default: break
      }
    }
    return steps
  }()
}
