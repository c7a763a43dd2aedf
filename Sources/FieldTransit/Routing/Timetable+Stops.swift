public import FieldCore

extension Timetable {
  /// Returns a stop; `nil` if there is none with this ID.
  public func stop(_ id: String) -> TransitStop? {
    storage.read { contents in
      id.withUTF8Span { contents.stop(withID: $0) }.map(contents.transitStop)
    }
  }

  /// Returns the stops and stations nearest to a location, nearest first.
  ///
  /// - Parameters:
  ///   - coordinate: The location to search from.
  ///   - distance: The radius.
  ///   - limit: The maximum number of stops.
  public func stops(
    near coordinate: Coordinate, within distance: Distance = .meters(1000), limit: Int = 20
  ) -> [TransitStop] {
    storage.read { contents in
      contents.stops(near: coordinate, within: distance.meters).prefix(max(limit, 0))
        .map { contents.transitStop($0.stop) }
    }
  }

  /// Returns the stops and stations whose name, ID, or code contains a text, as ``/FieldCore/TextFolding`` compares texts.
  ///
  /// Names are compared in all languages of the feed. Those that begin with the text come first, stations before their platforms, and then by name.
  ///
  /// - Parameters:
  ///   - text: The text, such as `台北` for `臺北車站`.
  ///   - limit: The maximum number of stops.
  public func stops(matching text: String, limit: Int = 20) -> [TransitStop] {
    let wanted = TextFolding.fold(text)
    guard !wanted.isEmpty, limit > 0 else { return [] }
    let found = storage.read { contents in
      (0..<contents.stopCount).compactMap {
        number -> (rank: Int, key: String, stop: TransitStop)? in
        let stop = contents.transitStop(number)
        let keys = contents.names(ofStop: number).map(TextFolding.fold)
        let others = [stop.id, stop.code ?? ""].map(TextFolding.fold)
        let rank =
          if others.contains(wanted) || keys.contains(wanted) {
            0
          } else if keys.contains(where: { $0.hasPrefix(wanted) }) {
            2
          } else if keys.contains(where: {
            $0.utf8.count >= wanted.utf8.count && TextFolding.contains(wanted, in: $0)
          }) {
            4
          } else {
            nil as Int?
          }
        return rank.map { ($0 + (stop.isStation ? 0 : 1), keys[0], stop) }
      }
    }
    return
      found
      .sorted { ($0.rank, $0.key, $0.stop.id) < ($1.rank, $1.key, $1.stop.id) }
      .prefix(limit).map(\.stop)
  }
}

extension TimetableContents {
  /// Returns the stops within a distance, nearest first.
  func stops(near coordinate: Coordinate, within meters: Double) -> [(stop: Int, meters: Double)] {
    // A degree of latitude is at least 110 kilometers long.
    let margin = Int32(limiting: meters / 110_000 * 1e7) + 1
    let latitude = Int32(limiting: coordinate.latitude * 1e7)
    var found: [(stop: Int, meters: Double)] = []
    for stop in 0..<stopCount {
      let other = Int32(bitPattern: stops[stop * 7 + 3])
      guard other != .min, (Int64(other) - Int64(latitude)).magnitude <= UInt64(margin),
        let place = Coordinate(
          validLatitude: Double(other) / 1e7,
          longitude: Double(Int32(bitPattern: stops[stop * 7 + 4])) / 1e7)
      else { continue }
      let distance = coordinate.distance(to: place).meters
      if distance <= meters { found.append((stop, distance)) }
    }
    return found.sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
  }
}
