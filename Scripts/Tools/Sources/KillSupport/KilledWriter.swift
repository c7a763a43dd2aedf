public import Foundation

/// This program once more, as a writer that is killed.
public enum KilledWriter {
  /// What the writer said before it was killed, line by line.
  ///
  /// - Parameters:
  ///   - place: Where it writes: its argument behind `write`.
  ///   - pause: How many microseconds it goes on after its first line.
  public static func said(writingTo place: URL, killedAfter pause: UInt32) throws -> [Substring] {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["write", place.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var said = Data()
    while !said.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure("the writer ended before it began") }
      said += more
    }
    // What it says is read while it writes, so that a full pipe never holds it up.
    let end = DispatchTime.now() + .microseconds(Int(pause))
    let id = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: end) { kill(id, SIGKILL) }
    said += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
      throw Failure("the writer ended by itself, with \(process.terminationStatus)")
    }
    // A line that was cut was not said.
    let whole = said.lastIndex(of: UInt8(ascii: "\n")).map { said[..<$0] } ?? Data()
    return String(decoding: whole, as: UTF8.self).split(separator: "\n")
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
