internal import FieldCore

extension MetroNetwork {
  /// The stations that a text may mean, the likeliest first: for a field that completes while typing.
  ///
  /// First come those whose name or code is the text, then those that have a name or code beginning
  /// with it, then those with a word that does, then those that contain it; in the order of
  /// ``stations`` within each. Spelling matters as little as for ``station(named:)``. A text without a
  /// letter or digit finds nothing.
  public func stations(matching text: String) -> [MetroStation] {
    ranked(text).map { content.stations[$0] }
  }

  private func ranked(_ text: String) -> [Int] {
    let key = NameKey(text)
    guard !key.isEmpty else { return [] }
    let exact = content.names.position(of: text)
    // What says "metro" is looked for as a part of a name only where the text is no name with it.
    let shown =
      (key.withoutStation.first.map { [key, $0] } ?? [key]) + (exact == nil ? key.withoutMetro : [])
    let hits = content.stations.indices.compactMap { index -> (rank: Int, index: Int)? in
      if index == exact { return (0, index) }
      let best = content.names.searchKeys[index].lazy.compactMap { name in
        shown.lazy.map(name.match).max()
      }.max()
      guard let best, best > .none else { return nil }
      return (4 - best.rawValue, index)
    }
    return hits.sorted { $0 < $1 }.map(\.index)
  }

  /// The error for a name that no station has, with up to three that it may stand for.
  func unknownStation(_ name: String) -> FieldError {
    var suggested = Array(ranked(name).prefix(3))
    if suggested.isEmpty {
      let key = Array(String(decoding: NameKey(name).bytes, as: UTF8.self).prefix(64))
      // Of two letters in three, one may be wrong at most; of more, a third.
      let limit = max(1, key.count / 3)
      let near = content.stations.indices.compactMap { index -> (distance: Int, index: Int)? in
        let distance =
          content.names.searchKeys[index].lazy.map { $0.distance(to: key) }.min() ?? .max
        return distance <= limit && distance < key.count ? (distance, index) : nil
      }
      suggested = near.sorted { $0 < $1 }.prefix(3).map(\.index)
    }
    let advice = suggested.isEmpty ? "; stations(matching:) completes what a name begins with" : ""
    return FieldError(
      .unknownStation, "no station of the network is called \"\(name)\"\(advice)",
      problems: suggested.map { index in
        let station = content.stations[index]
        return "did you mean \(station.name) (\(station.englishName))?"
      })
  }
}
