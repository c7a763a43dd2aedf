@preconcurrency internal import Foundation

/// Runs the public test suites of the formats that FieldKit reads through its public readers.
///
/// Usage: `suites DIRECTORY`, where the directory contains a clone of each suite; see
/// `Scripts/Checks/suites.sh` for their addresses. A suite that is missing is reported as skipped.
@main
struct Suites {
  static func main() async throws {
    setvbuf(stdout, nil, _IOLBF, 0)
    guard let root = CommandLine.arguments.dropFirst().first else {
      FileHandle.standardError.write(Data("usage: suites DIRECTORY\n".utf8))
      exit(64)
    }
    let directory = URL(filePath: root, directoryHint: .isDirectory)
    let suites: [(URL) async throws -> [SuiteResult]] = [
      jsonSuites(in:), csvSuites(in:), xmlSuites(in:), feedSuites(in:), gpxSuites(in:),
      dateSuites(in:),
    ]
    for suite in suites {
      for result in try await suite(directory) { result.report() }
    }
  }
}
