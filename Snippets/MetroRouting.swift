//! Querying the metro's network: stations, routes, lines, and a custom network.

// snippet.hide
import Foundation
import MetroKit

func routing(file: URL) throws {
  // snippet.show
  // snippet.route
  let route = try MetroNetwork.taipei.route(from: "動物園", to: "淡水")
  print(route.stations.map(\.name), route.transfers, route.duration)
  for leg in route.legs {
    print(leg.line?.rawValue ?? "walk", leg.from, leg.to, leg.headings, leg.duration)
  }
  // snippet.end

  // snippet.names
  let taipei = MetroNetwork.taipei
  let main = taipei.station(named: "臺北車站")  // as "TaipeiMainStation", "R10" and "BL12" are
  let typed = taipei.stations(matching: "hosp")  // 亞東醫院, 萬芳醫院, 台大醫院
  let here = try Coordinate(latitude: 25.0478, longitude: 121.5170)
  let near = taipei.nearest(to: here, count: 3)
  // snippet.end
  print(main?.codes ?? [], typed.count, near.count)

  // snippet.options
  let unhurried = MetroRoute.Options(transferSeconds: 480, walkSeconds: nil)
  let easy = try taipei.route(
    from: "新店", to: "蘆洲", preferring: .fewestTransfers, options: unhurried)
  switch easy.certainty {
  case .published: print("\(easy.duration)")
  case .estimatedTransfers: print("about \(easy.duration)")
  case .unconfirmedWalk: print("about \(easy.duration), with a walk in the street")
  }
  // snippet.end

  // snippet.errors
  do {
    _ = try taipei.route(from: "淡水河", to: "象山")
  } catch let error as FieldError where error.code == .unknownStation {
    print(error.message, error.problems)  // 淡水 (Tamsui)
  }
  // snippet.end

  // snippet.diagram
  if let line = taipei.line(.zhongheXinlu) {
    let trunk = line.trunk.compactMap { taipei.station(code: $0) }
    print(line.name, line.color, trunk.map(\.name))
    for branch in line.branches {
      print("at", branch.junction, branch.stops.compactMap { taipei.station(code: $0)?.name })
    }
  }
  // snippet.end

  // snippet.file
  let newer = try MetroNetwork(contentsOf: file)
  let network = newer.version > taipei.version ? newer : taipei
  // snippet.end
  print(network.version)
  // snippet.hide
}
