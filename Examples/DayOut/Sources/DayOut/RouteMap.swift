import FieldKit
import Foundation

/// A route as SVG, one line a segment, with its ends and its goal.
struct RouteMap {
  let route: WalkRoute
  let goal: Place?
  var label = "The route"

  private static let size = 600.0
  private static let margin = 24.0

  var svg: String {
    let places = route.segments.joined().map(\.coordinate) + [goal?.coordinate].compactMap { $0 }
    let south = places.map(\.latitude).min() ?? 0
    let north = places.map(\.latitude).max() ?? 0
    let west = places.map(\.longitude).min() ?? 0
    let east = places.map(\.longitude).max() ?? 0
    // A degree of longitude is shorter than one of latitude, by what half the way north says.
    let shrink = max(cos((south + north) / 2 * .pi / 180), 0.01)
    let span = max(north - south, (east - west) * shrink, 1e-6)
    let scale = (Self.size - 2 * Self.margin) / span
    func point(_ place: Coordinate) -> String {
      let x = Self.margin + (place.longitude - west) * shrink * scale
      let y = Self.margin + (north - place.latitude) * scale
      return "\((x * 10).rounded() / 10),\((y * 10).rounded() / 10)"
    }
    let height = (north - south) * scale + 2 * Self.margin
    var svg = "<svg viewBox=\"0 0 \(Self.size) \(height)\" role=\"img\" "
    svg += "aria-label=\"\(HTMLPage.escaped(label))\">"
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"var(--map, #eef1ea)\"/>"
    for segment in route.segments where !segment.isEmpty {
      let points = segment.map { point($0.coordinate) }.joined(separator: " ")
      svg += """
        <polyline points="\(points)" fill="none" stroke="var(--cool, #35618f)" stroke-width="4"/>
        """
    }
    for (place, color) in [
      (route.start?.coordinate, "var(--start, #3c7d4f)"),
      (route.end?.coordinate, "var(--text, #1d2433)"),
      (goal?.coordinate, "var(--warm, #c0692f)"),
    ] {
      guard let place else { continue }
      let parts = point(place).split(separator: ",")
      svg += "<circle cx=\"\(parts[0])\" cy=\"\(parts[1])\" r=\"7\" fill=\"\(color)\"/>"
    }
    return svg + "</svg>"
  }
}
