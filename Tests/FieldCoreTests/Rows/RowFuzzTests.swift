import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Damaged bodies", .heavy)
struct RowFuzzTests {
  /// Bytes that matter to one format or another.
  static let special =
    Array("{}[]\",:;\\\n\r\t 0-+.eEnull<u".utf8) + [0x00, 0x80, 0xC3, 0xE9, 0xEF, 0xFF]

  /// The bytes with a few changes: flips, cuts, insertions, doublings.
  static func damaged(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = special.randomElement(using: &random) ?? 0
      case 2: bytes.insert(special.randomElement(using: &random) ?? 0, at: place)
      case 3: bytes.remove(at: place)
      case 4:
        bytes.removeSubrange(
          place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 12)], at: place)
      }
    }
    if Int.random(in: 0..<8, using: &random) == 0 {
      bytes = Array(bytes[..<Int.random(in: 0...bytes.count, using: &random)])
    }
    return bytes
  }

  @Test(
    "damaged bodies never trap, and every row is a record or a failure", arguments: SmallBody.all)
  func noTrap(_ format: RowFormat, _ text: String) {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let original = Array(text.utf8)
    for turn in 0..<Sample.rounds(3000, 200, inDebug: 100) {
      let bytes = Self.damaged(original, &random)
      for given in [nil, format] {
        guard let batch = try? RowReader.read(bytes, as: RowStone.self, format: given) else {
          continue
        }
        let isWhole =
          batch.records.count + batch.failures.count == batch.rowCount
          && batch.failures.map(\.index) == batch.failures.map(\.index).sorted()
          && batch.failures.allSatisfy { $0.index < batch.rowCount && $0.excerpt.count <= 200 }
        if !isWhole { Issue.record("turn \(turn) of seed \(seed): \(batch)") }
      }
    }
  }

  @Test(
    "damaged bodies are JSON if and only if Python's reader accepts them",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func python() throws {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let originals =
      (SmallBody.all.filter { $0.0 != .csv && $0.0 != .ndjson }.map(\.1)
      + JSONDocumentTests.good.filter { $0.utf8.count < 200 }).map { Array($0.utf8) }
    var bodies: [[UInt8]] = []
    for _ in 0..<Sample.rounds(30_000, 2000, inDebug: 1_000) {
      bodies.append(Self.damaged(originals.randomElement(using: &random) ?? [], &random))
    }
    let script = """
      import json, sys
      def refuse(name): raise ValueError(name)
      def strict(data):
          try:
              # Only UTF-8 is asked about; Python would also take UTF-16.
              json.loads(data.decode('utf-8-sig'), parse_constant=refuse)
              return '1'
          except (ValueError, RecursionError):
              return '0'
      print(''.join(strict(bytes.fromhex(line.strip())) for line in sys.stdin))
      """
    let hex = bodies.map { body in
      body.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n"
    }.joined()
    let answer = Array(try Tool.run("python3", "-c", script, input: Data(hex.utf8)))
    var taken = 0
    for (body, verdict) in zip(bodies, answer) {
      let isTaken = code { try JSONDocument.validate(body) } == nil
      taken += isTaken ? 1 : 0
      if isTaken != (verdict == UInt8(ascii: "1")) {
        Issue.record("\(isTaken) of \(String(decoding: body, as: UTF8.self)) (seed \(seed))")
      }
    }
    #expect(answer.count >= bodies.count)
    #expect(taken > bodies.count / 30)
  }

  @Test("damaged bodies with absurd shapes take no absurd time", .timeLimit(.minutes(60)))
  func absurd() throws {
    let count = Sample.rounds(100_000, 2_000, inDebug: 1_000)
    let keys = (0..<count * 2).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(try stones("[{\(keys),\"id\":1}]").records.count == 1)
    let long = String(repeating: "x", count: count * 100)
    #expect(
      try stones("[{\"id\":1,\"name\":\"\(long)\"}]").records.first?.name?.utf8.count == count * 100
    )
    let openLines = String(repeating: "{\"a\":[\n1,\n", count: count)
    #expect(try stones(openLines, .ndjson).rowCount == count * 2)
    let quotes = "id,name\n" + String(repeating: "1,\"a\"\"\n", count: count)
    #expect(code { _ = try stones(quotes) } != .unknownFormat)
    let commas = String(repeating: ",", count: count * 20)
    #expect(code { _ = try stones(commas) } == .unknownFormat)
    let failures = "[" + String(repeating: "1,", count: count * 2) + "1]"
    #expect(try stones(failures).failures.count == count * 2 + 1)
  }
}
