import FieldKit
import Foundation

/// A map of the metro as SVG, with all stations at their coordinates and one route on it.
struct MetroMap {
  private let network: MetroNetwork
  private let route: MetroRoute
  private let language: TextLanguage

  private static let width = 640.0
  private static let margin = 24.0

  init(_ network: MetroNetwork, route: MetroRoute, in language: TextLanguage) {
    self.network = network
    self.route = route
    self.language = language
  }

  var svg: String {
    let places = network.stations.map(\.coordinate)
    let south = places.map(\.latitude).min() ?? 0
    let north = places.map(\.latitude).max() ?? 1
    let west = places.map(\.longitude).min() ?? 0
    let east = places.map(\.longitude).max() ?? 1
    // A degree of longitude is shorter than one of latitude.
    let shrink = cos((south + north) / 2 * .pi / 180)
    let scale = (Self.width - 2 * Self.margin) / max((east - west) * shrink, 1e-6)
    let height = ((north - south) * scale + 2 * Self.margin).rounded()
    func point(_ station: MetroStation) -> String {
      let x = Self.margin + (station.coordinate.longitude - west) * shrink * scale
      let y = Self.margin + (north - station.coordinate.latitude) * scale
      return "\((x * 10).rounded() / 10),\((y * 10).rounded() / 10)"
    }
    func line(_ stations: [MetroStation], _ color: String, width: Int) -> String {
      """
      <polyline points="\(stations.map(point).joined(separator: " "))" fill="none" \
      stroke="\(HTMLPage.escaped(color))" style="stroke: \(HTMLPage.lit(color))" \
      stroke-width="\(width)" stroke-linejoin="round" stroke-linecap="round"/>
      """
    }
    let lines = network.lines.flatMap { metroLine in
      let branches = metroLine.branches.map { [$0.junction] + $0.stops }
      return ([metroLine.trunk] + branches).map { codes in
        line(codes.compactMap { network.station(code: $0) }, metroLine.color, width: 2)
      }
    }
    let legs = route.legs.map { leg in
      let color = leg.line.flatMap { network.line($0) }?.color ?? "#777777"
      return line(leg.stations.compactMap { network.station($0) }, color, width: 8)
    }
    let ends = [route.stations.first, route.stations.last].compactMap { $0 }
    let changes = route.legs.dropLast().compactMap { leg in
      leg.stations.last.flatMap { network.station($0) }
    }
    let labels = (ends + changes).map { station in
      let parts = point(station).split(separator: ",")
      let isRight = (Double(parts[0]) ?? 0) > Self.width * 0.7
      let x = (Double(parts[0]) ?? 0) + (isRight ? -12 : 12)
      return """
        <circle cx="\(parts[0])" cy="\(parts[1])" r="6" fill="var(--edge, #fff)" stroke="var(--text, #1d2433)" \
        stroke-width="3"/><text x="\(x)" y="\(parts[1])" dy="\(isRight ? 28 : 5)" font-size="18" \
        text-anchor="\(isRight ? "end" : "start")">\
        \(HTMLPage.marked(language.name(station), with: "tspan", in: language))</text>
        """
    }
    return """
      <svg viewBox="0 0 \(Self.width) \(height)" role="img" \
      aria-label="\(HTMLPage.escaped(TourText.metroMap.string(in: language, [])))">
      <rect width="100%" height="100%" fill="var(--map, #f4f3ee)"/>
      <g opacity="0.75">\(lines.joined(separator: "\n"))</g>
      \(legs.joined(separator: "\n"))
      \(labels.joined(separator: "\n"))</svg>
      """
  }
}
