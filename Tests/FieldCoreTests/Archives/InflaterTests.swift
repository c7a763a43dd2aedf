import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A deflated stream")
struct InflaterTests {
  static let text = Array(
    ("stop_id,stop_name\n" + (0..<40).map { "S\($0),Station \($0 * 7 % 13)\n" }.joined()).utf8)
  /// The text with codes of its own, and with the fixed ones, by zlib.
  static let streams = [
    "VdA9CsMwDIbhXafoATJYkn/PoQOUQDtkaFKI70/dxf40mRfBx4Pvfn2fx2u7/++5f95kYbO+9+M6H4GMZxQymcFkOqOSxRlClmY0sjxDycoaGNt1ViRr6zTGeSHSqKXgsc/LkUep80YEc0IxZyRzQTNXRHNDtQTHFka3iIOLIlyig0tCuGSES3E/XREuDeEaEK6McBWEqzq4RoRrcnDNCNfi4FoRrg3gPw==",
    "Ky7JL4jPTNEpBtF5ibmpXMEGOsEliSWZ+XkKBlzBhnCOOVewEZxjyBVsDOdYcAWbwDlGXMGmcI4lV7AZnGPMFWyOMABotgWcZ8IVbImQAhpuiHCEKZCHcIUh0HxDhDvMgDxjFPeaIDvY0BTZxYZmyE42NEd2s6EFsqMNLZFdbWSA4mwjQ2R3GxmhONzIGNnhRiYoDjcyRXa4kRmyw43MUULaAtnhRpbIDjc2QHa4sSGyw42NkB1ubIzicGMTZIcbm6I43NgM2eHG5igON7ZAdrixJZLDAQ==",
  ].map { [UInt8](Data(base64Encoded: $0) ?? Data()) }

  static func inflate(_ bytes: [UInt8], _ count: Int) throws -> [UInt8] {
    try bytes.withByteSpan { span throws(Inflater.Failure) in
      try Inflater.bytes(span, count: count)
    }
  }

  @Test(
    "Deflated text is decoded, with codes of its own and with the fixed ones", arguments: streams)
  func decoded(stream: [UInt8]) throws {
    #expect(try Self.inflate(stream, Self.text.count) == Self.text)
  }

  @Test("A deflated stream that ends at any byte is refused", arguments: streams)
  func truncated(stream: [UInt8]) {
    for end in stream.indices {
      #expect(throws: Inflater.Failure.self) {
        try Self.inflate(Array(stream[..<end]), Self.text.count)
      }
    }
  }

  @Test(
    "A deflated stream whose text is longer or shorter than expected is refused", arguments: streams
  )
  func wrongLength(stream: [UInt8]) {
    for count in [0, 1, Self.text.count - 1, Self.text.count + 1] {
      #expect(throws: Inflater.Failure.length) { try Self.inflate(stream, count) }
    }
  }

  @Test("A deflated stream with any damaged bit is refused or yields as many bytes as expected")
  func damaged() {
    for stream in Self.streams {
      for place in stream.indices {
        for bit in 0..<8 {
          var damaged = stream
          damaged[place] ^= 1 << bit
          let text = try? Self.inflate(damaged, Self.text.count)
          #expect(text == nil || text?.count == Self.text.count)
        }
      }
    }
  }

  @Test("Random bytes in place of a deflated stream are refused or yield as many bytes as expected")
  func random() {
    var generator = SeededGenerator(seed: 37)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let text = try? Self.inflate(bytes, 300)
      #expect(text == nil || text?.count == 300)
    }
  }

  @Test(
    "A deflated stream with a reserved block, wrong complements, codes that don't fit, or a match before its start is invalid",
    arguments: [
      [0x07, 0, 0, 0, 0, 0, 0, 0, 0], [0x01, 1, 0, 0xFF, 0xFF, 0x41, 0, 0, 0],
      [0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x03, 0x02, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func invalid(stream: [UInt8]) {
    #expect(throws: Inflater.Failure.invalid) { try Self.inflate(stream, 1000) }
  }

  @Test(
    "What zlib deflates at every level and with every strategy is decoded",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func likeZlib() throws {
    let script = """
      import sys, zlib, random
      r = random.Random(37)
      texts = [b'', b'a', b'ab' * 40000, bytes(r.randrange(256) for _ in range(70000)),
          b''.join(b'trip_%d,%02d:%02d:00,stop %d\\n' % (i % 90, r.randrange(24), r.randrange(60), r.randrange(800)) for i in range(9000)),
          bytes(int(r.expovariate(0.05)) % 256 for _ in range(40000))]
      for text in texts:
          for level in (0, 1, 6, 9):
              for strategy in range(5):
                  c = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
                  raw = c.compress(text[:len(text) // 2]) + c.flush(zlib.Z_FULL_FLUSH) + c.compress(text[len(text) // 2:]) + c.flush()
                  sys.stdout.buffer.write(len(raw).to_bytes(4, 'little') + len(text).to_bytes(4, 'little') + raw + text)
      """
    let output = [UInt8](try Tool.run("python3", "-c", script))
    func number(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(output[place + $1]) << ($1 * 8) }
    }
    var place = 0
    var count = 0
    while place < output.count {
      let (rawCount, textCount) = (number(place), number(place + 4))
      let text = place + 8 + rawCount
      let decoded = try Self.inflate(Array(output[place + 8..<text]), textCount)
      #expect(decoded == Array(output[text..<text + textCount]))
      place = text + textCount
      count += 1
    }
    #expect(count == 120)
  }
}
