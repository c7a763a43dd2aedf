import FieldKit
import Foundation

/// `day-out feed`: reads feeds, and prints their items and what could not be read.
struct FeedCommand: Command {
  static let name = "feed"
  static let operands = "FILE… [options]"
  static let summary = "reads feeds of news in RSS or Atom"
  static let details: [Detail] = [
    ("FILE", "a file or an http address; the items of several stand one behind the other")
  ]
  static let flags: Set<String> = ["--json"]

  private let sources: [String]
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    sources = arguments.operands
    guard !sources.isEmpty else { throw UsageError("name a file, or several") }
    printsJSON = arguments.has("--json")
  }

  func run() async throws {
    var report = FeedReport()
    var errors: [FieldError] = []
    for source in sources {
      do {
        report.add(try await read(source), of: source)
      } catch let error as FieldError {
        errors.append(FieldError(error.code, "\(source): \(error.message)"))
      }
    }
    // Whatever could be read is shown, and what could not is told, in JSON among the failures.
    if printsJSON {
      report.failures += errors.map(\.message)
      try JSONOutput.print(report)
    } else {
      report.print()
    }
    guard let last = errors.popLast() else { return }
    for error in errors { FileHandle.standardError.write(Data("day-out: \(error.message)\n".utf8)) }
    throw last
  }

  private func read(_ source: String) async throws -> FeedDocument {
    if let url = URL(string: source), url.scheme == "http" || url.scheme == "https" {
      let answer = try await URLSessionTransport().send(
        TransportRequest(url: url, timeout: .seconds(45), operation: "day-out.feed"))
      guard answer.isSuccess else { throw FieldError(.status, "HTTP \(answer.status)") }
      return try FeedDocument(reading: try answer.body.bytes(), from: answer.url ?? url)
    }
    return try FeedDocument(reading: try TransportBody.file(URL(filePath: source)).bytes())
  }
}
