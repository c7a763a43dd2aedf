import FieldKit
import Foundation

/// A day out with FieldKit: a tour through the kits, and a tool that reads captures.
@main
struct DayOut {
  static let commands: [any Command.Type] = [
    ZooCommand.self, MetroCommand.self, RouteCommand.self, MeteoritesCommand.self,
    SyncDemonstration.self, SODACommand.self, WalkCommand.self, CivicCommand.self,
    FeedCommand.self,
  ]

  static func main() async {
    var words = CommandLine.arguments.dropFirst()
    do {
      guard let word = words.popFirst() else { return try await Tour().run() }
      if ["help", "--help", "-h"].contains(word) { return print(Usage.text(of: commands)) }
      guard let command = commands.first(where: { $0.name == word }) else {
        throw UsageError("\"\(word)\" is no command")
      }
      let arguments = try Arguments(Array(words), flags: command.flags, values: command.values)
      try await command.init(arguments).run()
    } catch let error as UsageError {
      fail("\(error.message)\n\n\(Usage.text(of: commands))", code: 64)
    } catch let error as FieldError {
      fail(error.message, code: 1)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("day-out: \(message)\n".utf8))
    exit(code)
  }
}
