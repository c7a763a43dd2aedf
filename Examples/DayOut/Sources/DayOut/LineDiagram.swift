import FieldKit

/// A route on its lines: as text for a terminal, and as SVG for a page.
struct LineDiagram {
  /// A leg with the whole line that it is on.
  private struct Track {
    let line: MetroLine
    let leg: MetroRoute.Leg
    /// The stops of the line in the order of the drawing, the leg's among them.
    let stops: [MetroStation]
  }

  private let route: MetroRoute
  private let network: MetroNetwork
  private let language: TextLanguage
  private let trains: [MetroStation.ID: [Arrival]]
  private let tracks: [Track]

  /// Draws a route, and the trains that are in its stations.
  init(
    _ route: MetroRoute, in network: MetroNetwork, _ language: TextLanguage,
    trains: [Arrival] = []
  ) {
    self.route = route
    self.network = network
    self.language = language
    self.trains = Dictionary(grouping: trains.filter { $0.station != nil }) {
      $0.station ?? MetroStation.ID(rawValue: "")
    }
    tracks = route.legs.compactMap { leg in
      guard let line = leg.line.flatMap({ network.line($0) }) else { return nil }
      return Track(line: line, leg: leg, stops: Self.stops(of: line, for: leg, in: network))
    }
  }

  // MARK: Text

  private var certainty: String {
    switch route.certainty {
    case .published: ""
    case .estimatedTransfers: "; the time of changes is an estimate"
    case .unconfirmedWalk: "; the time of changes and of the walk is an estimate"
    }
  }

  private static func stations(_ count: Int) -> String {
    count == 1 ? "1 station" : "\(count) stations"
  }

  var text: String {
    guard let first = route.stations.first, let last = route.stations.last else { return "" }
    let summary = """
      \(language.name(first)) to \(language.name(last)): \(Self.minutes(route.duration)), \
      \(Self.changes(route.transfers)), \(Self.stations(route.stations.count))\(certainty)
      """
    var text = Self.paragraph("  ", summary)
    for leg in route.legs {
      guard let line = leg.line.flatMap({ network.line($0) }) else {
        text += "\n  ·· on foot to \(name(leg.to)) ·· \(Self.minutes(leg.duration))\n"
        continue
      }
      let headings = leg.headings.map(name).joined(separator: ", ")
      text += Self.paragraph(
        "\n  ",
        "\(line.id) \(language.short(line)) toward \(headings) ·· \(Self.minutes(leg.duration))")
      for (number, id) in leg.stations.enumerated() {
        let isEnd = number == 0 || number == leg.stations.count - 1
        let here = trains[id, default: []].filter { $0.line == line.id }
        let train = here.first.map { " ← a train to \(destination(of: $0)) is entering" } ?? ""
        text += Self.paragraph("  \(isEnd ? "◉" : "│") ", "\(name(id))\(train)")
      }
    }
    return text
  }

  private static func paragraph(_ start: String, _ text: String) -> String {
    start + Terminal.standard.wrapped(text, indent: 4).joined(separator: "\n") + "\n"
  }

  private func name(_ id: MetroStation.ID) -> String { language.name(id, or: id.rawValue) }

  private func destination(of train: Arrival) -> String {
    language.name(train.destination, or: train.destinationName)
  }

  // MARK: SVG

  private static let width = 960.0
  private static let margin = 30.0
  private static let height = 230.0

  var svg: String {
    let drawn = tracks.enumerated().map { number, track in
      draw(track, y: 165 + Double(number) * Self.height)
    }
    let height = Double(max(1, tracks.count)) * Self.height + 10
    return """
      <svg viewBox="0 0 \(Self.width) \(height)" role="img" aria-label="The route on its lines">
      <rect width="\(Self.width)" height="\(height)" fill="var(--map, #ffffff)"/>
      \(drawn.joined(separator: "\n"))</svg>
      """
  }

  private func draw(_ track: Track, y: Double) -> String {
    let color = HTMLPage.escaped(track.line.color)
    let lit = HTMLPage.lit(track.line.color)
    let step = (Self.width - 2 * Self.margin - 80) / Double(max(1, track.stops.count - 1))
    func x(_ index: Int) -> Double { ((Self.margin + Double(index) * step) * 10).rounded() / 10 }
    let places = track.leg.stations.compactMap { id in track.stops.firstIndex { $0.id == id } }
    let (first, last) = (places.min() ?? 0, places.max() ?? 0)
    var svg = """
      <text lang="\(language)" x="\(Self.margin)" y="\(y + 48)" font-size="13" fill="\(color)" \
      style="fill: \(lit)">\
      \(track.line.id) \(HTMLPage.escaped(language.short(track.line)))</text>
      <path d="M\(x(0)) \(y)H\(x(track.stops.count - 1))" stroke="\(color)" \
      style="stroke: \(lit)" stroke-width="3" stroke-opacity="0.35"/>
      <path d="M\(x(first)) \(y)H\(x(last))" stroke="\(color)" \
      style="stroke: \(lit)" stroke-width="9" stroke-linecap="round"/>

      """
    for (index, station) in track.stops.enumerated() {
      let isEnd = index == first || index == last
      let isOnWay = (first...last).contains(index)
      let here = trains[station.id, default: []].filter { $0.line == track.line.id }
      let label = HTMLPage.escaped(language.short(station))
      svg += """
        <circle cx="\(x(index))" cy="\(y)" r="\(isEnd ? 6 : 3)" fill="var(--edge, #fff)" \
        stroke="\(color)" style="stroke: \(lit)" stroke-width="2"/>
        <text lang="\(language)" x="\(x(index))" y="\(y - 12)" font-size="\(isEnd ? 13 : 10)" \
        fill-opacity="\(isOnWay ? 1 : 0.45)" transform="rotate(-55 \(x(index)) \(y - 12))">\
        \(label)</text>

        """
      guard !here.isEmpty else { continue }
      let titles = here.map {
        "a train to \(destination(of: $0)) is entering \(language.name(station))"
      }
      svg += """
        <rect x="\(x(index) - 5)" y="\(y + 10)" width="10" height="14" rx="3" fill="var(--text, #1d2433)">\
        <title>\(HTMLPage.escaped(titles.joined(separator: "; ")))</title></rect>

        """
    }
    return svg
  }

  // MARK: Parts

  /// The trunk, or the part of it that leads to the branch that the leg is on, and that branch.
  private static func stops(
    of line: MetroLine, for leg: MetroRoute.Leg, in network: MetroNetwork
  ) -> [MetroStation] {
    func stations(_ codes: some Sequence<MetroStation.Code>) -> [MetroStation] {
      codes.compactMap { network.station(code: $0) }
    }
    let trunk = stations(line.trunk)
    for branch in line.branches {
      let outer = stations(branch.stops)
      guard leg.stations.contains(where: { id in outer.contains { $0.id == id } }),
        let junction = line.trunk.firstIndex(of: branch.junction)
      else { continue }
      let isBefore = leg.stations.allSatisfy { id in
        outer.contains { $0.id == id } || trunk[...junction].contains { $0.id == id }
      }
      return (isBefore ? Array(trunk[...junction]) : trunk[junction...].reversed()) + outer
    }
    return trunk
  }

  private static func minutes(_ duration: Duration) -> String {
    "\((duration.components.seconds + 30) / 60) min"
  }

  private static func changes(_ count: Int) -> String {
    count == 0 ? "no change" : count == 1 ? "1 change" : "\(count) changes"
  }
}
