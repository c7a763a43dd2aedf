internal import FieldTransit
@preconcurrency internal import Foundation
internal import KillSupport

/// `KillUpdater 50 [seed]` kills 50 processes that update a timetable, and checks what they leave; `KillUpdater write
/// <folder>` is one of them.
@main
struct KillUpdater {
  static func main() async throws {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "write" {
      return try await update(URL(filePath: arguments[2]))
    }
    try await KilledWriter.check(rounds: 50, check)
  }

  /// Updates a timetable again and again, and says the number of each after it is stored, until it is killed in the next one.
  private static func update(_ folder: URL) async throws {
    let first = try await number(folder) ?? 0
    let feeds = Feeds(first: first)
    let catalog = catalog(folder, feeds)
    while true {
      try await catalog.refresh(.now)
      FileHandle.standardOutput.write(Data("\(feeds.last)\n".utf8))
    }
  }

  private static func check(_ folder: URL, _ rounds: Int, _ seed: UInt64) async throws -> Bool {
    var generator = SplitMix(state: seed)
    var (last, kept, updates) = (0, 0, 0)
    for round in 1...rounds {
      let pause = UInt32.random(in: 500...60_000, using: &generator)
      let said = try KilledWriter.said(writingTo: folder, killedAfter: pause)
      let acknowledged = said.compactMap { Int($0) }.last ?? last
      let found = try await number(folder) ?? 0
      guard found == acknowledged || found == acknowledged + 1 else {
        print("round \(round): timetable \(acknowledged) was stored, but \(found) exists")
        return false
      }
      (updates, kept) = (updates + acknowledged - last, kept + found - acknowledged)
      last = found
    }
    print(
      "rounds \(rounds), updates \(updates), kept beyond them \(kept), lost 0, half 0 (seed \(seed))"
    )
    return true
  }

  /// Returns the number of the stored timetable, which must be the one that its feed compiles to.
  private static func number(_ folder: URL) async throws -> Int? {
    let catalog = catalog(folder, Feeds(first: 0))
    let view = try await catalog.view()
    if let failure = view.failure { throw Failure("the timetable can't be used: \(failure)") }
    guard let timetable = view.timetable else { return nil }
    let name = timetable.stop("S0")?.name ?? ""
    guard let number = Int(name.drop { !$0.isNumber }) else {
      throw Failure("the timetable isn't one of the feed: \(name)")
    }
    let whole = try Timetable.compile(ZipArchive(Feeds.archive(number))).timetable
    guard whole.bytes == timetable.bytes else { throw Failure("timetable \(number) isn't whole") }
    try await catalog.close()
    return number
  }

  private static func catalog(_ folder: URL, _ feeds: Feeds) -> TimetableCatalog {
    TimetableCatalog(
      "feed", at: URL(string: "https://feed.example/gtfs.zip") ?? folder,
      storage: .directory(folder), transport: feeds)
  }
}
