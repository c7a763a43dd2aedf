import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The gzip encoder", .heavy)
struct GzipTests {
  private static let gzip = Tool.isThere("gzip")

  @Test(
    "the gzip encoder writes a form that gzip reads",
    .enabled(if: gzip, "gzip isn't installed"),
    arguments: [0, 1, 2, 3, 4, 257, 258, 259, 32_767, 32_768, 32_769, 100_000])
  func lengths(_ length: Int) throws {
    var random = SeededGenerator(seed: UInt64(length))
    // Few different bytes, so that there are matches of all lengths and distances.
    let bytes = (0..<length).map { _ in UInt8(random.next() % 3) }
    #expect(try unpack(bytes) == bytes)
  }

  @Test(
    "the gzip encoder keeps bytes of every value, runs and random bytes",
    .enabled(if: gzip, "gzip isn't installed"))
  func content() throws {
    var random = SeededGenerator(seed: 1)
    let every = (0..<70_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    #expect(try unpack(every) == every)
    let run = [UInt8](repeating: 7, count: 70_000)
    #expect(try unpack(run) == run)
    let words = (0..<9_000).flatMap { Array("Meteorite \($0 % 97), mass \($0)\n".utf8) }
    #expect(try unpack(words) == words)
    #expect(Gzip.compress(words).count < words.count / 3)
  }

  private func unpack(_ bytes: [UInt8]) throws -> [UInt8] {
    [UInt8](try Tool.run("gzip", "-dc", input: Data(Gzip.compress(bytes))))
  }
}
