internal import FieldCore
public import Foundation
public import Testing

/// Another program of the machine, asked as an independent judge.
public enum Tool {
  /// Whether the platform lets a program start others.
  public static var canRun: Bool {
    #if os(macOS) || os(Linux)
      true
    #else
      false
    #endif
  }

  private static let found = Lock<[String: Bool]>([:])

  /// Python itself: a shim that chooses a version takes longer than most scripts.
  private static let python =
    (try? start("python3", ["-c", "import sys; print(sys.executable, end='')"], nil))
    .map { String(decoding: $0, as: UTF8.self) } ?? ""

  /// Whether a program of this name is on the machine.
  public static func isThere(_ name: String) -> Bool {
    if let isThere = found.withLock({ $0[name] }) { return isThere }
    let isThere = (try? run("sh", "-c", "command -v \(name)"))?.isEmpty == false
    found.withLock { $0[name] = isThere }
    return isThere
  }

  /// What the program printed; throws when it could not be started or did not end well.
  @discardableResult
  public static func run(_ name: String, _ arguments: String..., input: Data? = nil) throws -> Data
  {
    try start(name == "python3" && !python.isEmpty ? python : name, arguments, input)
  }

  private static func start(_ name: String, _ arguments: [String], _ input: Data?) throws -> Data {
    #if os(macOS) || os(Linux)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [name] + arguments
      let output = Pipe()
      process.standardOutput = output
      let folder = try TemporaryFolder()
      defer { extendLifetime(folder) }
      let errors = folder.url.appending(path: "errors")
      try Data().write(to: errors)
      process.standardError = try FileHandle(forWritingTo: errors)
      if let input {
        let file = folder.url.appending(path: "input")
        try input.write(to: file)
        process.standardInput = try FileHandle(forReadingFrom: file)
      }
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw ToolFailure(
          name: name, status: process.terminationStatus,
          errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
      }
      return data
    #else
      throw ToolFailure(
        name: name, status: 127, errors: "This platform lets no program start others.")
    #endif
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests that start a program, or run in a process of their own, where a program can't start
  /// others, as in the simulators.
  public static var needsProcesses: Self {
    .enabled(if: Tool.canRun, "this platform lets no program start others")
  }
}

/// A program that did not end well.
public struct ToolFailure: Error {
  /// The program.
  public let name: String
  /// Its exit code.
  public let status: Int32
  /// What it printed on standard error.
  public let errors: String
}

/// A folder that is removed when nothing refers to it any more.
public final class TemporaryFolder: Sendable {
  /// The folder.
  public let url: URL

  /// Makes the folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "fieldkit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
