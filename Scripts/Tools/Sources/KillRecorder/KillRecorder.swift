import FieldCore
@preconcurrency import Foundation
import KillSupport
import WalkKit

/// `KillRecorder 200 [seed]` kills 200 recorders and checks what they leave; `KillRecorder write <folder>`
/// is one of them. `KillRecorder time` measures what recording a fix costs.
@main
struct KillRecorder {
  static func main() async throws {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "write" {
      return try await Writer.run(URL(filePath: arguments[2]))
    }
    try await KilledWriter.check(rounds: 200) { folder, rounds, seed in
      if arguments.count > 1, arguments[1] == "time" {
        try await time(folder)
        return true
      }
      var checker = Checker(folder, seed: seed)
      return try await checker.run(rounds: rounds)
    }
  }

  /// Records a day of fixes, one a second, with every filter on, into a file.
  private static func time(_ folder: URL) async throws {
    var fixes: [LocationFix] = []
    for number in 0..<86_400 { fixes.append(try Track.fix(number)) }
    for round in 1...3 {
      let diary = Track.diary(
        folder.appending(path: "\(round)"), FixPolicy(maximumAge: .seconds(Int64.max)))
      let pet = try await diary.register(
        PetRegistration(
          name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-01"),
          weight: .kilograms(10), photo: Data([1, 2, 3])))
      let walk = try await diary.start(pets: [pet.id])
      let clock = ContinuousClock()
      var accepted = 0
      let before = residentMegabytes
      var afterAnHour = before
      let elapsed = await clock.measure {
        for (second, fix) in fixes.enumerated() {
          if await walk.record(fix).isAccepted { accepted += 1 }
          if second == 3_600 { afterAnHour = residentMegabytes }
        }
      }
      let afterADay = residentMegabytes
      let end = try await clock.measure { try await walk.finish() }
      print(
        "\(accepted) of \(fixes.count) fixes accepted, \(elapsed / fixes.count) a fix; finishing \(end); "
          + "\(before) MB before, \(afterAnHour) MB after an hour, \(afterADay) MB after a day")
      try await diary.close()
    }
  }

  /// The memory that the process holds, as Linux says; 0 elsewhere.
  private static var residentMegabytes: Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0)
      / 1_024
  }
}
