import FieldKit

/// A map of the zoo as SVG: areas as fields with their names, animals as dots with theirs.
struct ZooMap {
  private let view: ZooView
  private let here: Coordinate
  private let near: Set<Animal.ID>
  private let language: TextLanguage
  private let box: GeoBox

  private static let width = 960.0
  private static let height = 480.0

  init(_ view: ZooView, from here: Coordinate, near: [NearbyAnimal], in language: TextLanguage)
    throws
  {
    let places = view.animals.flatMap(\.places) + view.areas.flatMap(\.places) + [here]
    self.view = view
    self.language = language
    self.here = here
    self.near = Set(near.map(\.animal.id))
    box = try GeoBox(
      south: places.map(\.latitude).min() ?? here.latitude,
      west: places.map(\.longitude).min() ?? here.longitude,
      north: places.map(\.latitude).max() ?? here.latitude,
      east: places.map(\.longitude).max() ?? here.longitude)
  }

  var svg: String {
    let areas = view.areas.flatMap { area in
      area.places.map { place in
        let (x, y) = point(place)
        return """
          <circle cx="\(x)" cy="\(y)" r="58" fill="var(--area, #cfe0c3)"/>\
          <text lang="zh-Hant" x="\(x)" y="\(y - 40)" text-anchor="middle" font-size="15" fill="var(--area-text, #48603c)">\
          \(HTMLPage.escaped(area.name))</text>
          """
      }
    }
    let animals = view.animals.flatMap { animal in
      animal.places.map { place in
        let (x, y) = point(place)
        let isNear = near.contains(animal.id)
        let label = HTMLPage.escaped(language.short(animal))
        let tag = language == .korean ? .english : language
        return """
          <circle cx="\(x)" cy="\(y)" r="\(isNear ? 7 : 5)" \
          fill="\(isNear ? "var(--warm, #b3541e)" : "var(--cool, #3d5a80)")" stroke="var(--edge, #fff)">\
          <title>\(label)</title></circle>\
          <text lang="\(tag)" x="\(x + 10)" y="\(y + 4)" font-size="12">\(label)</text>
          """
      }
    }
    let (x, y) = point(here)
    return """
      <svg viewBox="0 0 \(Self.width) \(Self.height)" role="img" \
      aria-label="\(HTMLPage.escaped(TourText.zooMap.string(in: language, [])))">
      <rect width="\(Self.width)" height="\(Self.height)" fill="var(--map, #eef3e8)"/>
      \(areas.joined(separator: "\n"))
      \(animals.joined(separator: "\n"))
      <path d="M\(x) \(y - 12)l6 12l-6 12l-6 -12z" fill="var(--text, #1d2433)"><title>\(TourText.here.string(in: language, []))</title></path></svg>
      """
  }

  /// The zoo is so small that a straight map will do; a margin leaves room for names.
  private func point(_ place: Coordinate) -> (Double, Double) {
    func part(_ value: Double, from low: Double, to high: Double) -> Double {
      high > low ? (value - low) / (high - low) : 0.5
    }
    let right = part(place.longitude, from: box.west, to: box.east)
    let up = part(place.latitude, from: box.south, to: box.north)
    return (
      (90 + right * (Self.width - 220)).rounded(),
      (Self.height - 80 - up * (Self.height - 160)).rounded()
    )
  }
}
