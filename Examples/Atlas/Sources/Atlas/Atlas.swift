import ArgumentParser
import AtlasServer
import Foundation
import Logging

/// `atlas`: serves visitors' own data and the five kits of FieldKit to a browser.
///
/// The process that you start is a supervisor. It runs the server in a second process, and starts that one
/// again if it's killed.
@main
struct Atlas: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atlas",
    abstract: "Serve your own data and FieldKit's five kits, live, to a browser.",
    discussion: """
      All data comes from a server on the loopback interface that the program starts itself, so it runs \
      without internet access. Open the printed address, and switch the network off, choose a fault, or \
      kill the server while you watch.
      """)

  @Option(help: "The address to listen on.")
  var hostname = "127.0.0.1"

  @Option(help: "The port to listen on.")
  var port = 8080

  @Option(help: "The folder to keep data in. Defaults to .atlas in the current folder.")
  var data = ".atlas"

  @Option(
    help:
      "A capture of NASA's Meteorite Landings, as JSON or CSV, to serve instead of made-up rows.")
  var meteorites: String?

  @Option(
    help: """
      A GPX file with a recorded track to replay instead of a made-up walk. If it contains no accuracies, one fix \
      in 32 is made inaccurate or late, as a receiver's are.
      """)
  var track: String?

  @Option(
    help: "The host of a Socrata portal, such as data.sfgov.org, instead of made-up datasets.")
  var portal: String?

  @Option(
    help:
      "The URL of a PostgreSQL database that several servers share. Requires a build with --traits Database."
  )
  var database: String?

  @Option(
    name: .customLong("allowed-host"),
    help: """
      A name or address by which browsers reach the server, besides those of the loopback interface and the one that \
      it listens on. Others are refused, because a page can point its own name at this machine.
      """)
  var allowedHosts: [String] = []

  @Flag(help: "Delete the data folder first.")
  var fresh = false

  @Flag(help: .hidden)
  var worker = false

  func run() async throws {
    let folder = URL(filePath: data, directoryHint: .isDirectory)
    guard worker else {
      if fresh { try? FileManager.default.removeItem(at: folder) }
      let code = await Supervisor(arguments: workerArguments).run()
      throw ExitCode(code)
    }
    var logger = Logger(label: "atlas")
    logger.logLevel = .notice
    var options = AtlasOptions()
    options.capture = meteorites.map { URL(filePath: $0) }
    options.track = track.map { URL(filePath: $0) }
    options.portal = portal
    options.database = database
    options.hosts = allowedHosts
    let atlas = try await AtlasServer(folder: folder, options: options, logger: logger)
    try await atlas.run(hostname: hostname, port: port)
  }

  private var workerArguments: [String] {
    var arguments = ["--worker", "--hostname", hostname, "--port", "\(port)", "--data", data]
    if let meteorites { arguments += ["--meteorites", meteorites] }
    if let track { arguments += ["--track", track] }
    if let portal { arguments += ["--portal", portal] }
    if let database { arguments += ["--database", database] }
    for host in allowedHosts { arguments += ["--allowed-host", host] }
    return arguments
  }
}
