import FieldCore
import Foundation
import KillSupport
import WalkKit

/// Records fix after fix, and says so after each that was accepted, until it is killed.
///
/// It takes up the walk that the last writer left, or starts one.
enum Writer {
  static func run(_ folder: URL) async throws {
    let diary = Track.diary(folder)
    let left = try await diary.unfinished().first
    var number = try (left?.lastPoint).map(next) ?? 0
    let walk: WalkRecorder
    if let left {
      walk = try await left.resume()
    } else {
      var pet = try await diary.pets().first?.id
      if pet == nil { pet = try await register(diary) }
      walk = try await diary.start(pets: [pet].compactMap(\.self))
    }
    say("begin")
    say("segment")
    while true {
      guard await walk.record(try Track.fix(number)).isAccepted else {
        throw Failure("the fix \(number) wasn't accepted")
      }
      say("\(number)")
      number += 1
      if number % 701 == 0 {
        try await walk.pause()
        try await walk.resume()
        say("segment")
      }
      if number % 397 == 0 {
        try await walk.addPhoto([UInt8](repeating: UInt8(number % 251), count: 2_000))
        say("photo")
      }
    }
  }

  private static func next(_ point: TrackPoint) throws -> Int {
    guard let number = Track.number(of: point) else {
      throw Failure("the last point has no time")
    }
    return number + 1
  }

  private static func register(_ diary: WalkDiary) async throws -> Pet.ID {
    try await diary.register(
      PetRegistration(
        name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-01"),
        weight: .kilograms(10), photo: Data([1, 2, 3]))
    ).id
  }

  /// Writes a line at once, past every buffer of this process.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
