import FieldKit
import Foundation

/// A made-up round over a hill, as a receiver would deliver it, with the fixes that receivers get wrong.
enum WalkTrack {
  /// One delivery of the receiver.
  struct Step: Sendable {
    let latitude: Double
    let longitude: Double
    let elevation: Double
    let accuracy: Double
    /// The seconds between the receiver's time and the present; 0 for a good fix.
    var lag = 0.0
  }

  static let seconds = 3.0

  /// The round, with a wrong fix every now and then.
  static let steps: [Step] = {
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
