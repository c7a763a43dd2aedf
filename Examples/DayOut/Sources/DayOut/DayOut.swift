import FieldKit
import Foundation

/// A day out with FieldKit: a tour through the kits, and a tool that reads captures.
@main
struct DayOut {
  static let usage = """
    day-out                                    the tour, on data that ships with the example
    day-out meteorites FILE… [options]         reads captures of NASA's meteorites

      FILE            a file or an http address: rows.json, SODA JSON, NDJSON, GeoJSON or CSV;
                      several are refreshes of one store, in turn
      --json          prints one JSON object
      --near LAT,LON  adds the nearest meteorites with plausible positions
      --count N       how many of them (5)
      --search TEXT   adds how many names have the text
      --export FILE   writes the result as GeoJSON or CSV, by the file's ending
    """

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case nil:
        try await Tour().run()
      case "meteorites":
        arguments.removeFirst()
        try await MeteoritesCommand(Arguments(arguments)).run()
      case "help", "--help", "-h":
        print(usage)
      case let other?:
        throw UsageError("\"\(other)\" is no command")
      }
    } catch let error as UsageError {
      fail("\(error.message)\n\n\(usage)", code: 64)
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
