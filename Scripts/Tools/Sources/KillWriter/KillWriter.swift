@preconcurrency import Foundation

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
    let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 200 : 200
    let chosen = arguments.count > 2 ? UInt64(arguments[2]) : nil
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "fieldkit-kill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var checker = Checker(folder, seed: chosen ?? .random(in: 0...9_999))
    guard try await checker.run(rounds: rounds) else {
      print("the files remain in \(folder.path)")
      exit(1)
    }
    try FileManager.default.removeItem(at: folder)
  }
}
