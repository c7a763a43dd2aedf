/// The stops of a train from one stop to another, and its times between them, according to the network.
struct MetroPath {
  /// The stops, at least two.
  var stops: [MetroStation.Code]
  /// The seconds from each stop to the next: one fewer than there are stops.
  var runs: [Int]
  /// The seconds at each stop; `nil` where a pattern of trains begins or ends, because the network doesn't say it there.
  var waits: [Int?]
}

extension MetroNetwork {
  /// Returns the path of a train that doesn't turn; `nil` if the network has none, or several.
  func path(
    from: MetroStation.Code, to: MetroStation.Code, on line: MetroLine.ID
  ) -> MetroPath? {
    var found: MetroPath?
    for service in services where service.line == line {
      guard let start = service.stops.firstIndex(of: from),
        let end = service.stops.firstIndex(of: to), start != end
      else { continue }
      let path = service.path(start, end)
      guard let known = found else {
        found = path
        continue
      }
      // The first pattern's running times count, as for routes.
      guard known.stops == path.stops else { return nil }
      // A short turn begins where longer trains stop, whose time there is known.
      found?.waits = zip(known.waits, path.waits).map { $0 ?? $1 }
    }
    return found
  }
}

extension MetroService {
  /// Returns the path between two places in the pattern.
  fileprivate func path(_ start: Int, _ end: Int) -> MetroPath {
    let (first, last) = (min(start, end), max(start, end))
    let waits = (first...last).map { place in
      place == 0 || place == stops.count - 1 ? nil : stopSeconds[place]
    }
    let path = MetroPath(
      stops: Array(stops[first...last]), runs: Array(runSeconds[first..<last]), waits: waits)
    guard start > end else { return path }
    return MetroPath(
      stops: path.stops.reversed(), runs: path.runs.reversed(), waits: path.waits.reversed())
  }
}
