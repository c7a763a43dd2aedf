import FieldCore
import Foundation

/// Commits batch after batch, and says so after each that returned, until it is killed.
enum Writer {
  static func run(_ file: URL) async throws {
    say("begin")
    let store = FileStore<Row>(file)
    var number = Int(try await store.snapshot().checkpoint?.cursors["batch"] ?? "") ?? 0
    while true {
      number += 1
      let batch = Batch(number)
      try await store.commit(batch.changes, checkpoint: batch.checkpoint, expecting: nil)
      say("\(number)")
    }
  }

  /// Writes a line at once, past every buffer of this process.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
