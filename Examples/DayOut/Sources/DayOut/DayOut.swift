import FieldKit
@preconcurrency import Foundation

/// A day out with FieldKit: a tour through the kits, and a tool that reads captures.
@main
struct DayOut {
  static let commands: [any Command.Type] = [
    TourCommand.self, ZooCommand.self, MetroCommand.self, JourneyCommand.self, RouteCommand.self,
    MeteoritesCommand.self,
    SyncDemonstration.self, SODACommand.self, PortalCommand.self, WalkCommand.self,
    CivicCommand.self,
    FeedCommand.self, FirestoreCommand.self, StoreCommand.self,
    CompletionCommand.self,
  ]

  /// The version that `README.md` tells packages to depend on, which isn't released yet.
  private static let version = "0.1.0-dev"

  static func main() async {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    let words = Array(CommandLine.arguments.dropFirst())
    let isTour = words.first.map { $0.hasPrefix("-") } ?? true
    let command = isTour ? TourCommand.self : commands.first { $0.name == words.first }
    do {
      if words == ["--version"] { return print("day-out of FieldKit \(version)") }
      if words.count == 2, words[0] == StoryWalk.childArgument {
        return try await StoryWalk.record(in: words[1])
      }
      if words.count == 2, words[0] == KilledPhone.childArgument {
        return try await KilledPhone.perform(words[1])
      }
      if let topic = topic(of: words) { return print(try usage(of: topic)) }
      guard let command else { throw UsageError("unknown command \"\(words[0])\"") }
      let arguments = try Arguments(
        Array(words.dropFirst(isTour ? 0 : 1)), flags: command.flags, values: command.values)
      try await command.init(arguments).run()
    } catch let error as UsageError {
      fail("\(error.message). \(Usage.pointer(to: command))", code: 64)
    } catch let error as Narrator.BrokenPromise {
      fail(error.message, code: 1)
    } catch let error as FieldError {
      fail(error.errorDescription ?? error.message, code: 1)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static let helpWords: Set<String> = ["help", "--help", "-h"]

  /// The command to show help for, "" for all, or `nil` if no help was requested.
  private static func topic(of words: [String]) -> String? {
    if let word = words.first, helpWords.contains(word) {
      return words.count > 1 ? words[1] : ""
    }
    guard words.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) else { return nil }
    return words.first.map { $0.hasPrefix("-") ? TourCommand.name : $0 }
  }

  private static func usage(of topic: String) throws -> String {
    if topic.isEmpty { return Usage.text(of: commands) }
    guard let command = commands.first(where: { $0.name == topic }) else {
      throw UsageError("unknown command \"\(topic)\"")
    }
    return Usage.text(of: command)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("day-out: \(message)\n".utf8))
    exit(code)
  }
}
