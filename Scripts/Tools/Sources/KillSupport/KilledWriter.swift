public import Foundation

/// This program once more, as a writer that is killed.
public enum KilledWriter {
  /// What the writer said before it was killed, line by line.
  ///
  /// - Parameters:
  ///   - place: Where it writes: its argument behind `write`.
  ///   - pause: How many microseconds it goes on after its first line.
  public static func said(writingTo place: URL, killedAfter pause: UInt32) throws -> [Substring] {
    let (said, isKilled) = try run(writingTo: place, killedAfter: (1, pause))
    guard !said.isEmpty else { throw Failure("the writer ended before it began") }
    guard isKilled else { throw Failure("the writer ended by itself") }
    return said
  }

  /// What the writer said, line by line, and whether it was killed before it ended.
  ///
  /// - Parameters:
  ///   - place: Where it writes: its argument behind `write`.
  ///   - environment: Variables that it gets besides those of this process.
  ///   - limit: The number of lines, and of microseconds after the last of them, at which it is killed; nil lets it end.
  public static func run(
    writingTo place: URL, environment: [String: String] = [:],
    killedAfter limit: (lines: Int, pause: UInt32)?
  ) throws -> (said: [Substring], isKilled: Bool) {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["write", place.path]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var said = Data()
    var lines = 0
    while lines < limit?.lines ?? .max {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      said += more
      lines += more.count { $0 == UInt8(ascii: "\n") }
    }
    if let limit, lines >= limit.lines {
      // What it says is read while it writes, so that a full pipe never holds it up.
      let end = DispatchTime.now() + .microseconds(Int(limit.pause))
      DispatchQueue.global().asyncAfter(deadline: end) {
        // It may have ended by itself.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      }
      said += output.fileHandleForReading.readDataToEndOfFile()
    }
    process.waitUntilExit()
    let isKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    guard isKilled || process.terminationStatus == 0 else {
      throw Failure("the writer ended by itself, with \(process.terminationStatus)")
    }
    // A line that was cut was not said.
    let whole = said.lastIndex(of: UInt8(ascii: "\n")).map { said[..<$0] } ?? Data()
    return (String(decoding: whole, as: UTF8.self).split(separator: "\n"), isKilled)
  }
}

extension KilledWriter {
  /// Checks what killed writers leave in a folder, which remains if something is wrong.
  ///
  /// The arguments of the program are the number of rounds and a seed.
  ///
  /// - Parameters:
  ///   - count: The number of rounds if there is none.
  ///   - body: Kills writers, and returns whether they left what they must.
  public static func check(
    rounds count: Int,
    _ body: @Sendable (_ folder: URL, _ rounds: Int, _ seed: UInt64) async throws -> Bool
  ) async throws {
    let arguments = CommandLine.arguments
    let rounds = arguments.count > 1 ? Int(arguments[1]) ?? count : count
    let chosen = arguments.count > 2 ? UInt64(arguments[2]) : nil
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "fieldkit-kill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard try await body(folder, rounds, chosen ?? .random(in: 0...9_999)) else {
      print("the files remain in \(folder.path)")
      exit(1)
    }
    try FileManager.default.removeItem(at: folder)
  }
}

/// Why a run cannot go on.
public struct Failure: Error, CustomStringConvertible {
  /// What has happened.
  public let description: String

  /// Makes a failure from what has happened.
  public init(_ description: String) { self.description = description }
}
