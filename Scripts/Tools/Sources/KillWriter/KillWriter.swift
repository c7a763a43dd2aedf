@preconcurrency import Foundation
import KillSupport

/// `KillWriter 200 [seed]` kills 200 writers and checks what they leave; `KillWriter write <file>` is
/// one of them.
@main
struct KillWriter {
  static func main() async throws {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "write" {
      return try await Writer.run(URL(filePath: arguments[2]))
    }
    try await KilledWriter.check(rounds: 200) { folder, rounds, seed in
      var checker = Checker(folder, seed: seed)
      return try await checker.run(rounds: rounds)
    }
  }
}
