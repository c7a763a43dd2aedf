import FieldCore
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("A route", .heavy)
struct RouteTests {
  let taipei = MetroNetwork.taipei

  @Test("a route from the zoo to Tamsui is the documented one")
  func frontDoor() throws {
    let route = try MetroNetwork.taipei.route(from: "動物園", to: "淡水")
    #expect(route.stations.first?.name == "動物園")
    #expect(route.stations.last?.name == "淡水")
    #expect(route.transfers == 1)
    #expect(route.legs.map(\.line) == ["BR", "R"])
    #expect(route.legs.map(\.to) == ["大安", "淡水"])
    #expect(route.legs.map(\.headings) == [["南港展覽館"], ["淡水"]])
    // Eight hops and seven stops of BR-1; all of R-1 but three hops; five minutes between them.
    let wenhu = 67 + 47 + 99 + 106 + 124 + 72 + 122 + 69 + 25 * 7
    #expect(route.legs.first?.seconds == wenhu)
    #expect(route.duration == .seconds(wenhu + 300 + (route.legs.last?.seconds ?? 0)))
    #expect(route.certainty == .estimatedTransfers)
  }

  @Test("a route doesn't depend on the searches before it, even if they are more than are kept")
  func keptSearches() throws {
    func routes(_ network: MetroNetwork) throws -> [MetroRoute] {
      var routes: [MetroRoute] = []
      for options in [MetroRoute.Options(), .init(transferSeconds: 60, walkSeconds: nil)] {
        for preference in RoutePreference.allCases {
          for (from, to) in [("動物園", "淡水"), ("淡水", "動物園"), ("新埔", "迴龍"), ("大坪林", "板橋")] {
            routes.append(
              try network.route(from: from, to: to, preferring: preference, options: options))
          }
        }
      }
      return routes
    }
    let fresh = try JSONDecoder().decode(MetroNetwork.self, from: JSONEncoder().encode(taipei))
    let first = try routes(fresh)
    for seconds in 0..<300 {
      _ = try fresh.route(from: "動物園", to: "淡水", options: .init(transferSeconds: 100 + seconds))
    }
    #expect(try routes(fresh) == first)
    #expect(try routes(fresh) == first)
    #expect(try routes(taipei) == first)
  }

  @Test("a route along one line is the sum of running and dwell times, the same in both directions")
  func oneLine() throws {
    for (from, to) in [("北投", "大安"), ("大安", "北投")] {
      let route = try taipei.route(from: from, to: to)
      // R-2, to the second: 1916 in the source.
      #expect(route.duration == .seconds(1916))
      #expect(route.transfers == 0)
      #expect(route.legs.count == 1)
      #expect(route.certainty == .published)
    }
    #expect(try taipei.route(from: "南勢角", to: "蘆洲").rideSeconds == 2223)
    #expect(try taipei.route(from: "頂埔", to: "南港展覽館").rideSeconds == 2855)
  }

  @Test("a route between the branches of one line has a transfer where they split")
  func branches() throws {
    let route = try taipei.route(from: "迴龍", to: "蘆洲")
    #expect(route.transfers == 1)
    #expect(route.legs.map(\.line) == ["O", "O"])
    #expect(route.legs.map(\.to) == ["大橋頭", "蘆洲"])
    #expect(route.legs.map(\.headings) == [["南勢角"], ["蘆洲"]])
    #expect(try taipei.route(from: "南勢角", to: "蘆洲").transfers == 0)
    #expect(try taipei.route(from: "南勢角", to: "大橋頭").legs.first?.headings == ["迴龍", "蘆洲"])
  }

  @Test(
    "a route to the end of a shuttle has a transfer to it",
    arguments: [("台北車站", "新北投", "北投", 1), ("松山", "小碧潭", "七張", 1)])
  func shuttles(from: String, to: String, change: String, transfers: Int) throws {
    for preference in RoutePreference.allCases {
      let route = try taipei.route(from: from, to: to, preferring: preference)
      #expect(route.transfers == transfers)
      #expect(route.legs.last?.from.rawValue == change)
      #expect(route.legs.last?.stations.count == 2)
    }
  }

  @Test("a route names the short turn if that train suffices, and not otherwise")
  func headings() throws {
    #expect(try taipei.route(from: "台北車站", to: "府中").legs.first?.headings == ["頂埔", "亞東醫院"])
    #expect(try taipei.route(from: "台北車站", to: "永寧").legs.first?.headings == ["頂埔"])
    #expect(try taipei.route(from: "府中", to: "台北車站").legs.first?.headings == ["南港展覽館"])
    #expect(try taipei.route(from: "永寧", to: "土城").legs.first?.headings == ["南港展覽館"])
  }

  @Test("a route from a station to itself takes no time")
  func nowhere() throws {
    let route = try taipei.route(from: "臺北車站", to: "R10")
    #expect(route.stations.map(\.name) == ["台北車站"])
    #expect(route.legs.isEmpty)
    #expect(route.transfers == 0)
    #expect(route.duration == .zero)
    #expect(route.certainty == .published)
  }

  @Test("a route may walk between stations with two names, and reports that this isn't certain")
  func walking() throws {
    let walk = try taipei.route(from: "新埔", to: "新埔民生")
    #expect(walk.legs.map(\.line) == [nil])
    #expect(walk.transfers == 1)
    #expect(walk.duration == .seconds(480))
    #expect(walk.certainty == .unconfirmedWalk)
    let ride = try taipei.route(
      from: "新埔", to: "新埔民生", options: MetroRoute.Options(walkSeconds: nil))
    #expect(ride.legs.map(\.line) == ["BL", "Y"])
    #expect(ride.legs.map(\.to) == ["板橋", "新埔民生"])
    #expect(ride.duration == .seconds(107 + 300 + 191))
    #expect(ride.certainty == .estimatedTransfers)
  }

  @Test("a route is found by IDs, names, and codes alike")
  func byID() throws {
    let names = try taipei.route(from: "Taipei Zoo", to: "r28")
    let ids = try taipei.route(
      from: MetroStation.ID(rawValue: "動物園"), to: MetroStation.ID(rawValue: "淡水"))
    #expect(names == ids)
  }

  @Test("a route with the fewest transfers never has more of them, and never takes less time")
  func preferences() throws {
    var differing = 0
    for from in Sample.of(taipei.stations.prefix(16), 2) {
      for to in taipei.stations where from != to {
        let fast = try taipei.route(from: from.id, to: to.id)
        let easy = try taipei.route(from: from.id, to: to.id, preferring: .fewestTransfers)
        #expect(easy.transfers <= fast.transfers)
        #expect(easy.duration >= fast.duration)
        #expect((easy.transfers == fast.transfers) == (easy.duration == fast.duration))
        if easy.transfers < fast.transfers { differing += 1 }
      }
    }
    #expect(differing > (Sample.isWhole ? 100 : 0))
  }

  @Test(
    "a route from or to an unknown station is rejected, with similarly spelled names",
    arguments: [
      ("淡水河", "淡水"), ("中正記念堂", "中正紀念堂"), ("Tamsuy", "淡水"), ("台北車", "台北車站"),
      ("Zoo", "動物園"), ("港千", "港墘"),
    ])
  func unknown(name: String, suggested: String) throws {
    for (from, to) in [(name, "淡水"), ("淡水", name)] {
      let error = try #require(throws: FieldError.self) { try taipei.route(from: from, to: to) }
      #expect(error.code == .unknownStation)
      #expect(error.message.contains(name))
      #expect(error.problems.contains { $0.contains(suggested) }, "\(error.problems)")
      #expect(error.problems.count <= 3)
    }
  }

  @Test(
    "a route for a name unlike any other has no suggestion", arguments: ["", "紐約", "🚇", "xyzzy"])
  func noSuggestion(name: String) throws {
    let error = try #require(throws: FieldError.self) { try taipei.route(from: name, to: "淡水") }
    #expect(error.code == .unknownStation)
    #expect(error.problems == [])
    let byID = try #require(throws: FieldError.self) {
      try taipei.route(from: "淡水" as MetroStation.ID, to: MetroStation.ID(rawValue: name))
    }
    #expect(byID.code == .unknownStation)
  }

  @Test(
    "a route with impossible assumptions is rejected",
    arguments: [
      MetroRoute.Options(transferSeconds: -1), MetroRoute.Options(transferSeconds: 44),
      MetroRoute.Options(transferSeconds: 86_401), MetroRoute.Options(walkSeconds: -1),
      MetroRoute.Options(transferSeconds: .max, walkSeconds: .max),
    ])
  func options(options: MetroRoute.Options) throws {
    let error = try #require(throws: FieldError.self) {
      try taipei.route(from: "淡水", to: "象山", options: options)
    }
    #expect(error.code == .invalidInput)
    #expect(!error.problems.isEmpty)
  }

  /// Two lines that share Two and Three, and a third one beside the first.
  @Test("a route among several equally good ones is the one that the rules select")
  func ties() throws {
    let text = """
      metro 1|2030
      line A|T|#000000|甲|A||
      line B|T|#000000|乙|B||
      line C|T|#000000|丙|C||
      stop A|A1|25.0|121.0|一|One||
      stop A|A3|25.2|121.0|三|Three||
      stop A|A2|25.1|121.0|二|Two||
      stop B|B2|25.1|121.0|二|Two||
      stop B|B3|25.2|121.0|三|Three||
      stop B|B4|25.3|121.0|四|Four||
      stop C|C1|25.0|121.0|一|One||
      stop C|C2|25.1|121.0|二|Two||
      service C|C-1|C1 60 C2
      service A|A-1|A1 60 A2:20 60 A3
      service B|B-1|B2 60 B3:20 60 B4
      end 15
      """
    let network = try MetroNetwork(reading: Array(text.utf8))
    // By A-1 one may change at Three or Two, by C-1 at Two alone; all take the same.
    let route = try network.route(from: "One", to: "Four")
    #expect(route.duration == .seconds(60 + 20 + 60 + 300 + 60))
    #expect(route.legs.map(\.line) == ["C", "B"])
    let without = text.replacing("service C|C-1|C1 60 C2", with: "service C|C-1|C1 61 C2")
    let slower = try MetroNetwork(reading: Array(without.utf8)).route(from: "One", to: "Four")
    #expect(slower.duration == route.duration)
    #expect(slower.legs.map(\.line) == ["A", "B"])
    // Three stands before Two in this file.
    #expect(slower.legs.map(\.to) == ["三", "四"])
  }

  @Test("a route survives a Codable round trip")
  func coding() throws {
    let route = try taipei.route(from: "新北投", to: "新埔民生")
    let data = try JSONEncoder().encode(route)
    #expect(try JSONDecoder().decode(MetroRoute.self, from: data) == route)
  }

  @Test(
    "a route matches the independent search",
    .enabled(if: RouteReference.isThere, "python3 or the facts of ../shared are not here"),
    arguments: Sample.of(
      [
        MetroRoute.Options(), MetroRoute.Options(transferSeconds: 45, walkSeconds: 0),
        MetroRoute.Options(transferSeconds: 600, walkSeconds: nil),
      ], inDebug: 2))
  func reference(options: MetroRoute.Options) throws {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let starts = taipei.stations.map(\.name).shuffled(using: &random)
      .prefix(Sample.rounds(4, 1))
    let routes = try RouteReference.routes(from: Array(starts), options: options)
    #expect(routes.count == starts.count * 118 * 2, "seed \(seed)")
    try RouteReference.compare(routes, options: options)
  }

  @Test(
    "a route matches the independent search, for all pairs",
    .enabled(if: Sample.isWhole, "the long form, with FIELDKIT_LONG=1"),
    .enabled(if: RouteReference.isThere, "python3 or the facts of ../shared are not here"),
    arguments: [
      MetroRoute.Options(), MetroRoute.Options(transferSeconds: 45, walkSeconds: 0),
      MetroRoute.Options(transferSeconds: 600, walkSeconds: nil),
    ])
  func allPairs(options: MetroRoute.Options) throws {
    let routes = try RouteReference.routes(from: taipei.stations.map(\.name), options: options)
    #expect(routes.count == 118 * 118 * 2)
    try RouteReference.compare(routes, options: options)
  }
}
