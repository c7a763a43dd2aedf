import FieldCore
import Foundation
import TestSupport
import Testing

/// The same calls to files in memory and to files of the system.
@Suite("Files in memory", .timeLimit(.minutes(60)))
struct VolatileFileSystemTests {
  /// A file system with the files that are open in it.
  private struct Side {
    let files: any FileSystem
    let root: String
    var open: [OpenFile] = []

    /// What a call gives, or the number of its error.
    func answer<Value>(_ body: () throws(FileSystemError) -> Value) -> String {
      do throws(FileSystemError) {
        return "\(try body())"
      } catch {
        return "error \(error.number)"
      }
    }

    mutating func act(_ kind: Int, _ name: String, _ other: String, _ place: Int, _ size: Int)
      -> String
    {
      let path = "\(root)/\(name)"
      if kind < 4 {
        let mode: OpenMode = [.reading, .writing, .making, .makingNew][kind]
        do throws(FileSystemError) {
          open.append(try files.openFile(path, mode))
          return "open"
        } catch {
          return "error \(error.number)"
        }
      }
      switch kind {
      case 4: return answer { () throws(FileSystemError) in try files.remove(path) }
      case 5:
        return answer { () throws(FileSystemError) in
          try files.rename(path, to: "\(root)/\(other)")
        }
      case 6: return answer { () throws(FileSystemError) in try files.names(in: root).sorted() }
      case 7: return answer { () throws(FileSystemError) in try files.status(at: path)?.size ?? -1 }
      default: break
      }
      guard !open.isEmpty else { return "none" }
      let index = place % open.count
      let file = open[index]
      switch kind {
      case 8:
        open.remove(at: index)
        return answer { () throws(FileSystemError) in try files.closeFile(file) }
      case 9: return answer { () throws(FileSystemError) in try files.tryLock(file) }
      case 10: return answer { () throws(FileSystemError) in try files.unlock(file) }
      case 11:
        return answer { () throws(FileSystemError) in
          try files.truncate(file, to: min(size, try files.status(of: file).size))
        }
      case 12, 13:
        return answer { () throws(FileSystemError) in
          try files.read(file, at: place, count: size)
        }
      default:
        return answer { () throws(FileSystemError) in
          let end = try files.status(of: file).size
          let bytes = (0..<max(size, 1)).map { UInt8(truncatingIfNeeded: $0 &+ place) }
          try files.write(bytes, to: file, at: kind == 14 ? end : place)
          try files.sync(file)
          return try files.status(of: file).size
        }
      }
    }
  }

  @Test(
    "files in memory behave like those of the system",
    arguments: Sample.of(1...12 as ClosedRange<UInt64>, inDebug: 5))
  func asTheSystem(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var sides = [
      Side(files: VolatileFileSystem(), root: "/files"),
      Side(files: PosixFileSystem(), root: folder.url.path),
    ]
    // Both list a directory that has a file.
    for index in sides.indices { _ = sides[index].act(2, "first", "", 0, 0) }
    for step in 0..<600 {
      var kind = Int.random(in: 0..<17, using: &chance)
      // A file that is open for reading alone is not written here.
      if kind == 0 { kind = 2 }
      let name = ["a", "b", "c"].randomElement(using: &chance) ?? "a"
      let other = ["a", "b", "c"].randomElement(using: &chance) ?? "b"
      let place = Int.random(in: 0..<40, using: &chance)
      let size = Int.random(in: 0..<40, using: &chance)
      let answers = sides.indices.map { sides[$0].act(kind, name, other, place, size) }
      try #require(answers[0] == answers[1], "seed \(seed), step \(step), kind \(kind)")
    }
    for side in sides { for file in side.open { try side.files.closeFile(file) } }
  }
}
