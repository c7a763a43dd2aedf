import FieldKit
import Foundation

/// `day-out walk`: measures recorded tracks, and says what is odd about them.
struct WalkCommand: Command {
  static let name = "walk"
  static let operands = "FILE… [options]"
  static let summary = "measures tracks in GPX files"
  static let examples = ["day-out walk track.gpx"]
  static let details: [Detail] = [
    ("FILE", "a GPX file; several are reported one by one, in JSON as a list under \"files\""),
    (
      "--climb-threshold M",
      "the smallest rise to count, in meters (3); 0 counts every step"
    ),
    ("--simulate", "replays one file through the recorder, and draws the route as SVG"),
  ]
  static let flags: Set<String> = ["--json", "--simulate"]
  static let values: Set<String> = ["--climb-threshold"]

  private let files: [String]
  private let printsJSON: Bool
  private let simulates: Bool
  private let options: TrackMeter.Options

  init(_ arguments: Arguments) throws {
    files = arguments.operands
    guard !files.isEmpty else { throw UsageError("pass one or more GPX files") }
    printsJSON = arguments.has("--json")
    simulates = arguments.has("--simulate")
    if simulates, files.count > 1 || printsJSON {
      throw UsageError("--simulate takes one file and doesn't print JSON")
    }
    var options = TrackMeter.Options()
    if let meters = try arguments.number("--climb-threshold") {
      guard meters >= 0 else { throw UsageError("--climb-threshold needs 0 or more meters") }
      options.climbThreshold = .meters(meters)
    }
    self.options = options
  }

  func run() async throws {
    if simulates { return try await WalkSimulation(files[0]).run() }
    var reports: [WalkReport] = []
    var failures: [FieldError] = []
    for file in files {
      do {
        reports.append(try report(of: file))
      } catch let error as FieldError {
        failures.append(FieldError(error.code, "\(file): \(error.message)"))
      }
    }
    // Shows what was read, and reports each failure in one message.
    try show(reports)
    guard let last = failures.popLast() else { return }
    for failure in failures { Self.complain(failure.message) }
    throw last
  }

  private func report(of file: String) throws -> WalkReport {
    WalkReport(file, try Self.document(file), options)
  }

  /// Reads a file, and says what of it couldn't be read.
  static func document(_ file: String) throws -> GPXDocument {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: file))
    } catch {
      throw FieldError(.io, "The file doesn't exist, or it can't be read.", underlying: error)
    }
    let document = try GPXDocument(data: data)
    if let fault = document.fault {
      complain("\(file): \(explanation(of: fault, count: document.faults.count))")
    }
    complain(file, document.failures, "points that couldn't be read")
    complain(file, document.unreadableValues, "values that couldn't be read")
    return document
  }

  /// Says what a fault did to the file: only a file that ends too early isn't read to its end.
  private static func explanation(of fault: GPXDocument.Fault, count: Int) -> String {
    let others = count > 1 ? " (the first of \(count) such places)" : ""
    if fault.isCut { return "the file ends too early, and was read up to \(fault)" }
    if fault.isRepaired { return "repaired, nothing is lost\(others): \(fault)" }
    return "something may be missing at \(fault)\(others); the rest was read"
  }

  /// Shows the first failures of a kind, and how many more there are.
  private static func complain(_ file: String, _ failures: [RowFailure], _ kind: String) {
    for failure in failures.prefix(5) { complain("\(file): \(failure)") }
    if failures.count > 5 { complain("\(file): \(failures.count - 5) more \(kind)") }
  }

  /// One file is one object, and several are a list of them under `files`, each with its name.
  private func show(_ reports: [WalkReport]) throws {
    if printsJSON {
      if files.count > 1 {
        try JSONOutput.print(["files": reports])
      } else if let report = reports.first {
        try JSONOutput.print(report)
      }
    } else {
      for report in reports { report.printTables() }
    }
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("day-out: \(message)\n".utf8))
  }
}
