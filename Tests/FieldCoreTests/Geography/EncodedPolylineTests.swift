import FieldCore
import TestSupport
import Testing

@Suite("An encoded polyline")
struct EncodedPolylineTests {
  @Test("an encoded polyline matches Google's example")
  func example() throws {
    let places = try [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)].map {
      try Coordinate(latitude: $0, longitude: $1)
    }
    let line = EncodedPolyline(places)
    #expect(line.text == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
    #expect(try line.coordinates() == places)
  }

  /// The texts are those of Python's `polyline` 2.0.
  @Test(
    "an encoded polyline rounds each coordinate separately, and encodes both poles",
    arguments: [
      ([(0.000_014, 0.000_014), (0.000_028, 0.000_028)], "AACC"),
      ([(-0.000_014, -0.000_016)], "@B"),
      ([(90, 180), (-90, -180)], "_cidP_gsia@~fsia@~ngtcA"),
      ([(0, 0)], "??"),
      ([], ""),
    ] as [([(Double, Double)], String)])
  func rounding(places: [(Double, Double)], text: String) throws {
    let line = EncodedPolyline(
      try places.map { try Coordinate(latitude: $0.0, longitude: $0.1) })
    #expect(line.text == text)
  }

  @Test("an encoded polyline rounds halves away from zero on both sides")
  func halves() throws {
    // 1/64 is 15,625 millionths, and an exact half of a hundred-thousandth.
    let places = try [0.015_625, -0.015_625].map { try Coordinate(latitude: $0, longitude: $0) }
    let copies = try EncodedPolyline(places).coordinates()
    #expect(copies.map(\.latitude) == [0.015_63, -0.015_63])
    #expect(copies.map(\.longitude) == [0.015_63, -0.015_63])
  }

  @Test(
    "an encoded polyline returns its coordinates within half a unit, at both precisions",
    arguments: [EncodedPolyline.Precision.five, .six], 1...10 as ClosedRange<UInt64>)
  func roundTrip(precision: EncodedPolyline.Precision, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let places = try (0..<300).map { _ in
      try Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180...360, using: &random))
    }
    let line = EncodedPolyline(places, precision: precision)
    let copies = try line.coordinates()
    #expect(copies.count == places.count)
    let unit = precision == .five ? 0.500_001e-5 : 0.500_001e-6
    for (copy, place) in zip(copies, places) {
      #expect(abs(copy.latitude - place.latitude) <= unit, "seed \(seed)")
      #expect(abs(copy.longitude - place.longitude) <= unit, "seed \(seed)")
    }
    #expect(EncodedPolyline(copies, precision: precision) == line, "seed \(seed)")
  }

  @Test("an encoded polyline crosses the antimeridian with longitudes below -180 and above 360")
  func beyondTheAntimeridian() throws {
    // -180.1 and then 363.8, in steps of a hundred-thousandth of a degree.
    let line = EncodedPolyline(text: Self.encoded([0, -18_010_000, 0, 54_390_000]))
    let longitudes = try line.coordinates().map(\.longitude)
    #expect(abs(longitudes[0] - 179.9) < 1e-9)
    #expect(abs(longitudes[1] - 3.8) < 1e-9)
    #expect(throws: FieldError.self) {
      try EncodedPolyline(text: Self.encoded([0, 45_100_000])).coordinates()
    }
  }

  /// Numbers in groups of five bits, as the format's description says.
  private static func encoded(_ numbers: [Int]) -> String {
    var text = ""
    for number in numbers {
      var rest = number < 0 ? ~(number << 1) : number << 1
      while rest >= 0x20 {
        text.unicodeScalars.append(Unicode.Scalar(UInt8(0x20 | rest & 0x1F) + 63))
        rest >>= 5
      }
      text.unicodeScalars.append(Unicode.Scalar(UInt8(rest) + 63))
    }
    return text
  }

  @Test(
    "an encoded polyline reports the defect of a text",
    arguments: [
      ("_p~iF~ps|U_ulL", FieldError.Code.cut), ("_p~iF", .cut), ("_p~iF~ps|", .cut),
      ("_p~iF ps|U", .malformed), ("é", .malformed), ("~~~~~~~~~~~~", .malformed),
      ("_p~iF~ps|U_p~iF~ps|U_p~iF~ps|U", .malformed),
    ])
  func damaged(text: String, code: FieldError.Code) {
    #expect { try EncodedPolyline(text: text).coordinates() } throws: {
      ($0 as? FieldError)?.code == code
    }
  }

  @Test("an encoded polyline never crashes on invalid text")
  func noise() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        UInt8.random(in: 60...127, using: &random)
      }
      _ = try? EncodedPolyline(text: String(decoding: bytes, as: UTF8.self)).coordinates()
    }
  }
}
