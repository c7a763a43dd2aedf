import FieldKit
import Foundation

/// A day out with FieldKit: a tour through the kits, and a tool that reads captures.
@main
struct DayOut {
  static let usage = """
    day-out                                    the tour, on data that ships with the example
    day-out meteorites FILE… [options]         reads captures of NASA's meteorites
    day-out metro FILE… [options]              reads captures of the metro's arrivals
    day-out route FROM TO [options]            the way from station to station
    day-out sync                               a sync that breaks off and goes on, on loopback
    day-out soda URL [options]                 syncs any dataset of a Socrata portal

    of all commands:
      --json          prints one JSON object

    of meteorites:
      FILE            a file or an http address: rows.json, SODA JSON, NDJSON, GeoJSON or CSV;
                      several are refreshes of one store, in turn
      --near LAT,LON  adds the nearest meteorites with plausible positions
      --count N       how many of them (5)
      --search TEXT   adds how many names have the text
      --export FILE   writes the result as GeoJSON or CSV, by the file's ending

    of metro:
      FILE            a file or an http address in any known form of the feed; several are boards
                      that follow one another: the last one is shown, the figures are of all
      --now ISO       the moment that ages are measured at, such as 2024-10-18T11:39:30+08:00

    of route:
      FROM, TO        stations in any spelling: 淡水, 淡水站, Tamsui, R28
      --fewest-transfers   prefers fewer changes to fewer minutes

    of soda:
      URL             such as https://data.example.org/resource/abcd-1234.json; an app token is
                      taken from the environment: SODA_APP_TOKEN
      --key COLUMN    the column that tells rows apart (the portal's :id)
      --store FOLDER  keeps the rows there, so that the next call asks for changes only
      --page N        how many rows are asked for at once (10000)
      --deletion P    never, keys (the changes, then all ids) or snapshot (all rows every time)
      --count N       how many rows are shown (3)
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
      case "metro":
        arguments.removeFirst()
        try await MetroCommand(Arguments(arguments)).run()
      case "route":
        arguments.removeFirst()
        try RouteCommand(Arguments(arguments)).run()
      case "soda":
        arguments.removeFirst()
        try await SODACommand(Arguments(arguments)).run()
      case "sync":
        try await SyncDemonstration().run()
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
