internal import FieldCore
internal import FieldURLSession
@preconcurrency internal import Foundation
internal import KillSupport

/// `KillPortal 3 [seed] [rows] [family]` kills syncs with a portal over HTTP, 3 for each family, and checks what they leave; `KillPortal
/// write <folder>` is one of them.
@main
struct KillPortal {
  /// The rows of a page.
  private static func pageSize(_ rows: Int) -> Int { max(100, min(10_000, rows / 50)) }

  static func main() async throws {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "write" {
      return try await write(URL(filePath: arguments[2]))
    }
    let rows = arguments.count > 3 ? Int(arguments[3]) ?? 20_000 : 20_000
    let families = MadePortal.Family.allCases.filter {
      arguments.count < 5 || arguments[4] == $0.rawValue
    }
    try await KilledWriter.check(rounds: 3) { folder, rounds, seed in
      for family in families {
        let place = folder.appending(path: family.rawValue)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        var checker = Checker(family: family, rows: rows, folder: place, seed: seed)
        guard try await checker.run(kills: rounds, pageSize: pageSize(rows)) else { return false }
      }
      return true
    }
  }

  /// Syncs as the environment says, and prints a line for each request, until it is killed or has all rows.
  private static func write(_ folder: URL) async throws {
    let environment = ProcessInfo.processInfo.environment
    guard let family = environment["KILL_PORTAL_FAMILY"].flatMap(MadePortal.Family.init),
      let url = environment["KILL_PORTAL_URL"].flatMap({ URL(string: $0) }),
      let size = environment["KILL_PORTAL_PAGE"].flatMap({ Int($0) })
    else { throw Failure("the environment lacks the portal") }
    let source = try MadePortal.source(
      family, at: url, pageSize: size, over: Telling(base: URLSessionTransport()))
    let report: RefreshReport
    if environment["KILL_PORTAL_FORGETS"] != nil {
      report = try await SyncedTable(
        "trees", sources: [source], target: ForgetfulTarget<MadeTree>()
      ).refresh(.now)
    } else {
      let catalog = Catalog("trees", sources: [source], storage: .directory(folder))
      report = try await catalog.refresh(.now)
      try await catalog.close()
    }
    let notices = report.notices.map(\.code.rawValue).joined(separator: " ")
    say("end \(report.outcome.rawValue) \(report.rows) \(Memory.most) \(notices)")
  }

  fileprivate static func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}

/// A transport that prints a line before each request.
private struct Telling: Transport {
  let base: any Transport

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    KillPortal.say("request \(Memory.most)")
    return try await base.send(request)
  }
}

/// The memory of this process.
enum Memory {
  /// The largest resident memory so far, in kilobytes; 0 where the system doesn't say.
  static var most: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
