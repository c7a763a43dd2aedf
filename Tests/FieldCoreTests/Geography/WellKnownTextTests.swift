import FieldCore
import TestSupport
import Testing

@Suite("Well-known text")
struct WellKnownTextTests {
  private func pairs(_ text: String) -> [[Double]] {
    WellKnownText.positions(in: text).pairs.map { [$0.x, $0.y] }
  }

  @Test(
    "well-known text in every form of the zoo's files is read completely",
    arguments: [
      ("MULTIPOINT ((121.5831587 24.9971109))", [[121.5831587, 24.9971109]]),
      (
        "MULTIPOINT ((121.5855928 24.9949741), (121.5826973 24.9987117))",
        [[121.5855928, 24.9949741], [121.5826973, 24.9987117]]
      ),
      (
        "MULTIPOINT ((121.5804577 24.9979216),  (121.5805328 24.9959671),  (121.5 24.9))",
        [[121.5804577, 24.9979216], [121.5805328, 24.9959671], [121.5, 24.9]]
      ),
      ("MULTIPOINT (( 121.5830852 24.9963666))", [[121.5830852, 24.9963666]]),
      ("MULTIPOINT ((121.5827151 24.9963569)", [[121.5827151, 24.9963569]]),
      ("MULTIPOINT((121.5827058,24.9983016))", [[121.5827058, 24.9983016]]),
      (
        "MULTIPOINT((121.58318946529198,24.99721713220000))",
        [[121.58318946529198, 24.99721713220000]]
      ),
      (
        "MULTIPOINT((121.5,24.9),(121.6,24.8))",
        [[121.5, 24.9], [121.6, 24.8]]
      ),
    ])
  func zoo(text: String, expected: [[Double]]) {
    let reading = WellKnownText.positions(in: text)
    #expect(reading.pairs.map { [$0.x, $0.y] } == expected)
    #expect(reading.isWhole)
  }

  @Test(
    "well-known text in the standard's forms is read completely",
    arguments: [
      ("POINT (30 10)", [[30, 10]]),
      ("POINT(30 10)", [[30, 10]]),
      ("point z (30 10 5)", [[30, 10]]),
      ("POINT ZM (30 10 5 1)", [[30, 10]]),
      ("SRID=4326;POINT(-71.064544 42.28787)", [[-71.064544, 42.28787]]),
      ("MULTIPOINT (10 40, 40 30)", [[10, 40], [40, 30]]),
      ("LINESTRING (30 10, 10 30, 40 40)", [[30, 10], [10, 30], [40, 40]]),
      (
        "POLYGON ((30 10, 40 40, 30 10), (20 30, 35 35))",
        [[30, 10], [40, 40], [30, 10], [20, 30], [35, 35]]
      ),
      ("POINT EMPTY", []), ("", []), ("1.5e1 -2", [[15, -2]]),
    ] as [(String, [[Double]])])
  func standard(text: String, expected: [[Double]]) {
    let reading = WellKnownText.positions(in: text)
    #expect(reading.pairs.map { [$0.x, $0.y] } == expected)
    #expect(reading.isWhole)
  }

  @Test("well-known text in full-width characters is read like half-width ones")
  func fullWidth() {
    #expect(
      pairs("ＭＵＬＴＩＰＯＩＮＴ（（１２１．５，\u{3000}２４．９））") == [[121.5, 24.9]])
  }

  @Test(
    "well-known text with more or less than positions reports it, and returns the positions",
    arguments: [
      ("MULTIPOINT ((121.5 24.9), (121.6))", [[121.5, 24.9]]),
      ("MULTIPOINT ((121.5 24.9), (未定))", [[121.5, 24.9]]),
      ("POINT (1 2 3 4 5)", [[1, 2]]),
      ("POINT (121.5,24.9,3)", [[121.5, 24.9]]),
      ("動物園", []), ("N/A", []), ("########", []),
      ("POINT (121.5 2", []), ("POINT (121.5 24.9", []), ("POINT (121", []), ("POINT (", []),
      ("MULTIPOINT ((121.5 24.9), (121.6 24", [[121.5, 24.9]]),
      ("MULTIPOINT (121.5 24.9, 121.6 24.", [[121.5, 24.9]]),
      ("POINT Z (121.5 24.9 1", [[121.5, 24.9]]),
    ] as [(String, [[Double]])])
  func partly(text: String, expected: [[Double]]) {
    let reading = WellKnownText.positions(in: text)
    #expect(reading.pairs.map { [$0.x, $0.y] } == expected)
    #expect(!reading.isWhole)
  }

  @Test("well-known text of any bytes is read with finite numbers, or fails")
  func mutated() {
    let seed: UInt64 = 20_261_121
    var random = SeededGenerator(seed: seed)
    let source = Array("SRID=4326;MULTIPOINT ((121.5831587 24.9971109), (1e9,-2))".utf8)
    for _ in 0..<2_000 {
      var bytes = source
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        bytes[at] = UInt8.random(in: 0...255, using: &random)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for pair in WellKnownText.positions(in: text).pairs {
        #expect(pair.x.isFinite && pair.y.isFinite, "seed \(seed): \(text)")
      }
    }
  }
}
