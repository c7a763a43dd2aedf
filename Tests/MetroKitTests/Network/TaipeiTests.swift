import FieldCore
import Foundation
import MetroKit
import Testing

@Suite("The network of Taipei")
struct TaipeiTests {
  let taipei = MetroNetwork.taipei

  @Test("the network of Taipei has six lines, 135 codes, 118 stations, and 17 transfers")
  func counts() {
    #expect(taipei.version == "2026-07-24")
    #expect(taipei.lines.map(\.id) == ["BL", "BR", "G", "O", "R", "Y"])
    #expect(taipei.lines.map(\.codes.count) == [23, 24, 20, 26, 28, 14])
    #expect(taipei.stations.count == 118)
    #expect(taipei.stations.flatMap(\.codes).count == 135)
    #expect(Set(taipei.stations.flatMap(\.codes)).count == 135)
    #expect(Set(taipei.stations.map(\.id)).count == 118)
    let transfers = taipei.stations.filter(\.isTransfer)
    #expect(transfers.count == 17)
    #expect(transfers.allSatisfy { $0.codes.count == 2 })
  }

  private struct Aliases: Decodable {
    let aliases: [String: MetroStation.ID]
  }

  @Test("the network of Taipei finds every name as a validated copy from a file does")
  func validated() throws {
    let file = try JSONEncoder().encode(taipei)
    let read = try JSONDecoder().decode(MetroNetwork.self, from: file)
    var names = Array(try JSONDecoder().decode(Aliases.self, from: file).aliases.keys)
    #expect(names.count > 10)
    for station in taipei.stations {
      names += [station.name, station.englishName] + station.codes.map(\.rawValue)
      names += [station.japaneseName, station.koreanName].compactMap(\.self)
    }
    for name in names {
      for spelling in [name, name + "站", "捷運" + name, name.lowercased(), String(name.dropLast())] {
        #expect(
          taipei.station(named: spelling)?.id == read.station(named: spelling)?.id, "\(spelling)")
      }
    }
  }

  @Test(
    "the network of Taipei changes between lines at the documented stations",
    arguments: [
      ("板橋", "BL07", "Y16"), ("西門", "BL11", "G12"), ("台北車站", "BL12", "R10"),
      ("忠孝新生", "BL14", "O07"), ("忠孝復興", "BL15", "BR10"), ("南港展覽館", "BL23", "BR24"),
      ("大安", "BR09", "R05"), ("南京復興", "BR11", "G16"), ("大坪林", "G04", "Y07"),
      ("古亭", "G09", "O05"), ("中正紀念堂", "G10", "R08"), ("中山", "G14", "R11"),
      ("松江南京", "G15", "O08"), ("景安", "O02", "Y11"), ("東門", "O06", "R07"),
      ("民權西路", "O11", "R13"), ("頭前庄", "O17", "Y18"),
    ] as [(MetroStation.ID, MetroStation.Code, MetroStation.Code)])
  func transfers(id: MetroStation.ID, first: MetroStation.Code, second: MetroStation.Code) {
    #expect(taipei.station(id)?.codes == [first, second])
  }

  @Test("the network of Taipei has its branches in the right places")
  func branches() throws {
    let orange = try #require(taipei.line(.zhongheXinlu))
    #expect(orange.trunk.first == "O01")
    #expect(orange.trunk.last == "O21")
    #expect(orange.trunk.count == 21)
    let luzhou = MetroLine.Branch(junction: "O12", stops: ["O50", "O51", "O52", "O53", "O54"])
    #expect(orange.branches == [luzhou])
    let green = try #require(taipei.line(.songshanXindian))
    #expect(green.trunk.count == 19)
    #expect(green.branches == [MetroLine.Branch(junction: "G03", stops: ["G03A"])])
    let red = try #require(taipei.line(.tamsuiXinyi))
    #expect(red.trunk.first == "R02")
    #expect(red.trunk.last == "R28")
    #expect(red.branches == [MetroLine.Branch(junction: "R22", stops: ["R22A"])])
    for id: MetroLine.ID in [.bannan, .wenhu, .circular] {
      #expect(taipei.line(id)?.branches == [])
    }
    #expect(taipei.stations(of: .zhongheXinlu).map(\.name).suffix(5).first == "三重國小")
    #expect(taipei.stations(of: "Z").isEmpty)
  }

  @Test(
    "the network of Taipei lists exits, branches, first and last trains, and legs with other IDs")
  func listed() throws {
    for station in taipei.stations {
      #expect(Set(station.exits.map(\.id)).count == station.exits.count, "\(station)")
      for code in station.codes {
        let times = taipei.trainTimes(at: code) ?? []
        #expect(Set(times.map(\.id)).count == times.count, "\(code)")
      }
    }
    for line in taipei.lines {
      #expect(Set(line.branches.map(\.id)).count == line.branches.count, "\(line)")
    }
    let route = try taipei.route(from: "府中", to: "淡水")
    #expect(Set(route.legs.map(\.id)).count == route.legs.count)
    #expect(route.description == "BL 府中 > 台北車站, R 台北車站 > 淡水")
    #expect(taipei.station("台北車站")?.description == "BL12 R10 台北車站")
  }

  @Test("the network of Taipei has one transfer in the street, which no source confirms")
  func walks() {
    #expect(taipei.walks == [MetroWalk(from: "新埔", to: "新埔民生")])
  }

  @Test("the network of Taipei has the lines' names and colors")
  func lines() {
    #expect(taipei.lines.map(\.name).last == "環狀線")
    #expect(taipei.line(.tamsuiXinyi)?.englishName == "Tamsui-Xinyi Line")
    #expect(
      taipei.lines.map(\.color) == [
        "#0a59ae", "#b57a25", "#107547", "#f5a818", "#d90023", "#fedb00",
      ])
    #expect(taipei.lines.map(\.operatorCode) == ["TRTC", "TRTC", "TRTC", "TRTC", "TRTC", "NTMCC"])
  }

  @Test("the network of Taipei has twelve train patterns, of which three are short turns")
  func services() {
    #expect(
      taipei.services.map(\.id) == [
        "BL-1", "BL-2", "BR-1", "G-1", "G-2", "G-3", "O-1", "O-2", "R-1", "R-2", "R-3", "Y-1",
      ])
    for service in taipei.services {
      #expect(service.runSeconds.count == service.stops.count - 1)
      #expect(service.stopSeconds.count == service.stops.count)
      #expect(service.runSeconds.allSatisfy { (40...250).contains($0) })
    }
  }

  @Test(
    "the network of Taipei places every stop around Taipei, and a station's stops close together")
  func places() throws {
    for station in taipei.stations {
      let place = station.coordinate
      #expect((24.9...25.2).contains(place.latitude), "\(station.id)")
      #expect((121.4...121.65).contains(place.longitude), "\(station.id)")
      for stop in station.stops {
        #expect(stop.coordinate.distance(to: place) < .meters(400), "\(stop.code)")
      }
      for exit in station.exits {
        let nearest = station.stops.map { $0.coordinate.distance(to: exit.coordinate) }.min()
        #expect(try #require(nearest) < .meters(400), "\(station.id) \(exit)")
      }
    }
    #expect(taipei.stations.flatMap(\.exits).count == 363)
    #expect(taipei.stations.filter(\.exits.isEmpty).count == 10)
  }

  @Test("the network of Taipei finds the station around a place")
  func nearest() throws {
    // The fountain before the zoo's gate, and the presidential office.
    let zoo = taipei.nearest(to: try Coordinate(latitude: 24.9985, longitude: 121.5810), count: 2)
    #expect(zoo.map(\.station.name) == ["動物園", "木柵"])
    #expect(zoo[0].distance < .meters(250))
    let office = try Coordinate(latitude: 25.0400, longitude: 121.5119)
    #expect(taipei.nearest(to: office, count: 1).first?.station.name == "西門")
    let all = taipei.nearest(to: office, count: 500)
    #expect(all.count == 118)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.distance <= $1.distance })
    #expect(taipei.nearest(to: office, count: 0).isEmpty)
    #expect(taipei.nearest(to: office, count: -1).isEmpty)
  }

  @Test("the network of Taipei knows first and last trains, and reports where it doesn't")
  func trainTimes() throws {
    let times = try #require(taipei.trainTimes(at: "BL02"))
    #expect(times.map(\.destination) == ["頂埔", "南港展覽館"])
    #expect(times.map(\.first.description) == ["06:00", "06:03"])
    #expect(times.map(\.last.description) == ["01:08", "00:03"])
    #expect(times[0].last.isAfterMidnight)
    #expect(times[0].last > times[1].last)
    #expect(taipei.trainTimes(at: "BR05")?.count == 2)
    #expect(taipei.trainTimes(at: "Y07") == nil)
    #expect(
      taipei.stations.flatMap(\.codes).compactMap { taipei.trainTimes(at: $0) }.joined().count
        == 243)
  }

  @Test(
    "the network of Taipei identifies the line of a train by its position and destination",
    arguments: [
      ("士林", "淡水", ["R"]), ("大安", "北投", ["R"]), ("西門", "台電大樓", ["G"]),
      ("六張犁", "南港展覽館", ["BR"]), ("忠孝復興", "南港展覽館", ["BL", "BR"]),
      ("七張", "小碧潭", ["G"]), ("景美", "小碧潭", []), ("三和國中", "迴龍", []),
      ("東門", "蘆洲", ["O"]), ("大坪林", "新北產業園區", ["Y"]), ("淡水", "淡水", []),
      ("淡水", "台南", []),
    ] as [(MetroStation.ID, MetroStation.ID, [MetroLine.ID])])
  func lines(from: MetroStation.ID, to: MetroStation.ID, lines: [MetroLine.ID]) {
    #expect(taipei.lines(from: from, toward: to) == lines)
  }
}
