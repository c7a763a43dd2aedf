import FieldFakes
import FieldKit
import Foundation

/// `day-out feed`: reads feeds, and prints their items and what could not be read.
struct FeedCommand: Command {
  static let name = "feed"
  static let operands = "FILE… [options]"
  static let summary = "reads feeds of news in RSS or Atom"
  static let examples = ["day-out feed news.xml"]
  static let details: [Detail] = [
    ("FILE", "a file or an HTTP URL; multiple feeds are concatenated"),
    ("--store FOLDER", "marks the items that are hidden in the city directory in FOLDER"),
    ("--city NAME", "the name of that directory, if it isn't the default"),
  ]
  static let flags: Set<String> = ["--json"]
  static let values: Set<String> = ["--store", "--city"]

  private let sources: [String]
  private let folder: String?
  private let city: String
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    sources = arguments.operands
    guard !sources.isEmpty else { throw UsageError("pass one or more files") }
    printsJSON = arguments.has("--json")
    folder = arguments.value("--store")
    city = arguments.value("--city") ?? CivicDirectory.defaultName
    if folder == nil, arguments.value("--city") != nil {
      throw UsageError("--city needs --store FOLDER")
    }
  }

  func run() async throws {
    var report = FeedReport(hidden: try await hidden())
    var errors: [FieldError] = []
    for source in sources {
      do {
        report.add(try await read(source), of: source)
      } catch let error as FieldError {
        errors.append(FieldError(error.code, "\(source): \(error.message)"))
      }
    }
    // Shows what was read and reports what wasn't; in JSON, the failures contain the latter.
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

  /// The items that the user has hidden in the named directory.
  private func hidden() async throws -> Set<CityActivity.ID> {
    guard let folder else { return [] }
    guard FileManager.default.fileExists(atPath: folder) else {
      throw FieldError(.io, "There is no folder \(folder).")
    }
    let directory = CivicDirectory(
      name: city, storage: .directory(URL(filePath: folder), access: .readOnly),
      transport: FakeCivicService())
    return try await directory.export().hiddenActivities
  }

  private func read(_ source: String) async throws -> FeedDocument {
    if let url = URL(string: source), url.scheme == "http" || url.scheme == "https" {
      let answer = try await URLSessionTransport().send(
        TransportRequest(url: url, timeout: .seconds(45), operation: "day-out.feed"))
      guard answer.isSuccess else { throw FieldError(.status, "HTTP \(answer.status)") }
      return try FeedDocument(
        reading: try answer.body.bytes(), from: answer.url ?? url,
        charset: Self.charset(answer.fields["Content-Type"]))
    }
    return try FeedDocument(reading: try TransportBody.file(URL(filePath: source)).bytes())
  }

  /// The encoding in a header such as `text/xml; charset=gb2312`.
  private static func charset(_ contentType: String?) -> String? {
    contentType?.split(separator: ";").dropFirst().lazy
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.lowercased().hasPrefix("charset=") }
      .map { $0.dropFirst(8).trimmingCharacters(in: CharacterSet(charactersIn: "\"' ")) }
  }
}
