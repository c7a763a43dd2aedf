import FieldCore
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("A network file", .heavy)
struct ReadingTests {
  @Test("a network file yields a complete network")
  func whole() throws {
    let network = try MetroNetwork(reading: NetworkSample.bytes())
    #expect(network.version == "2030-01-01")
    #expect(network.stations.map(\.name) == ["東", "中", "西", "南站", "小西", "北", "遠", "更遠"])
    let middle = try #require(network.station("中"))
    #expect(middle.codes == ["X02", "Y02"])
    #expect(middle.lines == ["X", "Y"])
    #expect(middle.coordinate == (try Coordinate(latitude: 25.01, longitude: 121.5)))
    #expect(middle.japaneseName == nil)
    #expect(middle.exits.map(\.number) == ["1", "2A", nil])
    #expect(network.station("西")?.japaneseName == "Nishi")
    #expect(network.station("東")?.japaneseName == "東")
    #expect(network.station("東")?.koreanName == nil)
    #expect(network.line("X")?.trunk == ["X01", "X02", "X03", "X04"])
    #expect(network.line("X")?.branches == [MetroLine.Branch(junction: "X03", stops: ["X03A"])])
    #expect(network.line("Z")?.trunk == ["Z01", "Z02"])
    #expect(network.walks == [MetroWalk(from: "北", to: "南站")])
    #expect(network.trainTimes(at: "X02")?.map(\.last.minutes) == [1450, 1439])
    #expect(network.trainTimes(at: "Y02") == nil)
    // A name that ends in 站 by itself keeps it; one more goes.
    #expect(network.station(named: "南站")?.name == "南站")
    #expect(network.station(named: "南站站")?.name == "南站")
    #expect(network.station(named: "南") == nil)
    #expect(network.station(named: "gate")?.name == "南站")
  }

  @Test("a network file yields routes with its own times")
  func routes() throws {
    let network = try MetroNetwork(reading: NetworkSample.bytes())
    let branch = try network.route(from: "East", to: "Little West")
    #expect(branch.duration == .seconds(60 + 20 + 70 + 300 + 90))
    #expect(branch.transfers == 1)
    let walk = try network.route(from: "小西", to: "北")
    // 90 + 300 + 80 + 480 in the street is more than 90 + 300 + 70 + 300 + 50 by train.
    #expect(walk.duration == .seconds(90 + 300 + 70 + 300 + 50))
    let street = try network.route(
      from: "小西", to: "北", options: MetroRoute.Options(walkSeconds: 100))
    #expect(street.duration == .seconds(90 + 300 + 80 + 100))
    #expect(street.stations.map(\.name) == ["小西", "西", "南站", "北"])
    #expect(street.transfers == 2)
    let onward = try network.route(
      from: "西", to: "中", preferring: .fewestTransfers, options: MetroRoute.Options(walkSeconds: 0))
    #expect(onward.transfers == 0)
    let error = try #require(throws: FieldError.self) { try network.route(from: "東", to: "遠") }
    #expect(error.code == .noRoute)
    #expect(throws: FieldError.self) { try network.route(from: "遠", to: "更遠") }
    #expect(try network.route(from: "遠", to: "遠").duration == .zero)
  }

  @Test("a network file may have a mark, other line ends, and no final line end")
  func forms() throws {
    let plain = try MetroNetwork(reading: NetworkSample.bytes())
    let text = NetworkSample.text
    for other in [
      "\u{FEFF}" + text, text.replacing("\n", with: "\r\n"), String(text.dropLast()), text + "\n\n",
    ] {
      let network = try MetroNetwork(reading: Array(other.utf8))
      #expect(network.stations == plain.stations)
      #expect(network.services == plain.services)
    }
  }

  @Test(
    "a file that isn't a network is rejected with what it is",
    arguments: [
      ("", FieldError.Code.emptyBody), (" \n\n", .emptyBody), ("<html>", .unknownFormat),
      ("{\"metro\":1}", .unknownFormat), ("metro", .unknownFormat),
      ("metro x|2030", .unknownFormat),
      ("metro 0|2030\nend 1", .unknownFormat), ("metro 2|2030\nanything at all", .newerFormat),
      ("metro 1|2030", .cut), ("metro 1|2030\n", .cut), ("metro 1|2030\nend 2\n", .cut),
      ("metro 1|2030\nend 1\n", .malformed), ("end 0\n", .unknownFormat),
    ])
  func foreign(text: String, code: FieldError.Code) throws {
    let error = try #require(throws: FieldError.self) {
      try MetroNetwork(reading: Array(text.utf8))
    }
    #expect(error.code == code, "\(error)")
  }

  @Test(
    "a network file with inconsistent contents is rejected, with a description",
    arguments: [
      ("X03:30 80 X04", "X03:30 80 X05", "X05"), ("X02:20 70", "X02:20 -70", "-70"),
      ("X02:20 70", "X02:20 0", "\"0\""), ("X02:20", "X02:-20", "X02:-20"),
      ("X02:20", "X02:", "X02:"), ("X-1|X01 60", "X-1|X01:5 60", "dwell time"),
      ("80 X04\n", "80 X04 9\n", "two or more stops"),
      ("80 X04\n", "80 X04  X03\n", "a running time"),
      ("Y01 50 Y02\n", "Y01 50 Y02:0 60 Y01\n", "twice"),
      ("Y-1|Y01 50 Y02", "Y-1|Y01", "two or more stops"),
      ("|X-2|", "|X-1|", "X-1 occurs twice"), ("X03A 90 X03\n", "X03A 90 Y02\n", "Y02"),
      ("stop X|X01|25.000000", "stop X|X01|nan", "nan"),
      ("stop X|X01|25.000000", "stop X|X01|inf", "inf"),
      ("stop X|X01|25.000000", "stop X|X01|95", "95"),
      ("stop X|X01|25.000000", "stop X|X01|", "isn't a coordinate"),
      ("stop X|X01", "stop W|X01", "line W"), ("stop X|X02", "stop X|X01", "X01 occurs twice"),
      ("|東|East", "||East", "a name is missing"), ("|東|East", "|東|", "a name is missing"),
      ("|東|East", "|東|Middle", "means another station"), ("|東|East", "|東|X02", "another station"),
      ("|東|East", "|東|/", "\"/\""), ("alias X04|Gate", "alias X04|東", "another station"),
      ("alias X04", "alias X09", "X09"), ("walk Y01|X04", "walk Y01|X09", "X09"),
      ("walk Y01|X04", "walk X02|Y02", "connect two stations"),
      ("#00ff7F", "00ff7F", "isn't a color"),
      ("#00ff7F", "#00ff7", "isn't a color"), ("#00ff7F", "#00fg7F", "isn't a color"),
      ("line Y|", "line X|", "line X occurs twice"), ("exits X02", "exits X09", "X09"),
      ("|2A 25.011 121.501", "|2A 25.011 1e9", "isn't an exit"),
      ("|2A 25.011", "|25.011", "isn't an exit"),
      ("trains X02|X01", "trains X02|X09", "X09"), ("trains X02|X01", "trains X09|X01", "X09"),
      ("06:00 00:10", "06:00 24:10", "a first and last"),
      ("06:00 00:10", "05:60 00:10", "a first and last"),
      ("06:00 00:10", "6:00 00:10", "a first and"),
      ("06:00 00:10", "23:00 06:00", "a first and last"), ("walk Y01|X04", "wlak Y01|X04", "wlak"),
      ("walk Y01|X04", "metro 1|2030", "isn't allowed"),
      ("walk Y01|X04", "walk Y01|X04|X03", "3 fields"),
      ("service X|X-2|X03A 90 X03", "alias X04|Door", "no service connects stop X03A"),
    ])
  func malformed(old: String, new: String, problem: String) throws {
    let bytes = NetworkSample.bytes(replacing: old, with: new)
    let error = try #require(throws: FieldError.self) { try MetroNetwork(reading: bytes) }
    #expect(error.code == .malformed, "\(error)")
    #expect(error.problems.contains { $0.contains(problem) }, "\(error.problems)")
  }

  @Test("a network file that is truncated anywhere is rejected")
  func cuts() throws {
    let bytes = NetworkSample.bytes()
    for length in Sample.of(0..<bytes.count - 2, 80) {
      let error = try #require(throws: FieldError.self, "after \(length) bytes") {
        try MetroNetwork(reading: bytes.prefix(length))
      }
      let early: [FieldError.Code] = [.emptyBody, .unknownFormat]
      #expect(
        error.code == .cut || length < 8 && early.contains(error.code) || error.code == .encoding)
    }
  }

  @Test("a network file that isn't UTF-8 is rejected")
  func encoding() throws {
    var bytes = NetworkSample.bytes()
    let place = try #require(bytes.firstIndex { $0 >= 0x80 })
    bytes[place] = 0xFF
    let error = try #require(throws: FieldError.self) { try MetroNetwork(reading: bytes) }
    #expect(error.code == .encoding)
  }

  @Test(
    "a network file with any byte changed is rejected by a FieldError, or is a working network",
    arguments: Sample.of(0..<1000 as Range<UInt64>, 25))
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = NetworkSample.bytes()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
      case 1: bytes.remove(at: place)
      default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
      }
    }
    do {
      let network = try MetroNetwork(reading: bytes)
      for from in network.stations {
        for to in network.stations {
          do {
            let route = try network.route(from: from.id, to: to.id)
            #expect(route.stations.first?.id == from.id && route.stations.last?.id == to.id)
          } catch let error as FieldError {
            #expect(error.code == .noRoute, "seed \(seed): \(error)")
          }
        }
      }
    } catch let error as FieldError {
      #expect(!error.message.isEmpty, "seed \(seed)")
    }
  }

  @Test("a network file with far too much content is rejected", arguments: [5_000, 5_001])
  func tooLarge(count: Int) throws {
    let stops = (0..<count).map { "stop X|X\($0)|25|121|名\($0)|Name \($0)||\n" }.joined()
    let text = "metro 1|2030\nline X|A|#000000|甲|A||\n\(stops)end \(count + 2)\n"
    guard count > 5_000 else {
      #expect(try MetroNetwork(reading: Array(text.utf8)).stations.count == count)
      return
    }
    let error = try #require(throws: FieldError.self) {
      try MetroNetwork(reading: Array(text.utf8))
    }
    #expect(error.code == .malformed)
    #expect(error.problems == ["there are \(count) stops and 0 services"])
  }

  @Test("a network file that doesn't exist is a read error")
  func missing() throws {
    let error = try #require(throws: FieldError.self) {
      try MetroNetwork(contentsOf: URL(filePath: "/nowhere/taipei.metro"))
    }
    #expect(error.code == .io)
    #expect(error.underlying != nil)
  }

  @Test(
    "a network file written by the script equals the compiled-in network",
    .enabled(if: RouteReference.isThere, "python3 or the facts of ../shared are not here"))
  func script() throws {
    let script = SharedData.root.appending(path: "Scripts/Generators/metro-network.py").path
    try Tool.run("python3", script, "--check")
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "taipei.metro")
    try Tool.run("python3", script, "--output", file.path, "--version", "2031-02-03")
    let network = try MetroNetwork(contentsOf: file)
    let taipei = MetroNetwork.taipei
    #expect(network.version == "2031-02-03")
    #expect(network.stations == taipei.stations)
    #expect(network.lines == taipei.lines)
    #expect(network.services == taipei.services)
    #expect(network.walks == taipei.walks)
  }
}
