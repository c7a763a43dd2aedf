internal import FieldCore

extension MetroNetwork {
  /// Returns the stations that a text may mean, the likeliest first, for completion while typing.
  ///
  /// Stations whose name or code equals the text come first, then those with a name or code that
  /// begins with it, then those with a word that does, then those that contain it, each in the
  /// order of ``stations``. Spelling is as flexible as in ``station(named:)``. A text without a
  /// letter or digit matches nothing.
  ///
  /// ```swift
  /// for station in MetroNetwork.taipei.stations(matching: "da an") { show(station.name) }
  /// ```
  public func stations(matching text: String) -> [MetroStation] {
    ranked(text).map { content.stations[$0] }
  }

  private func ranked(_ text: String) -> [Int] {
    let key = NameKey(text)
    guard !key.isEmpty else { return [] }
    let exact = content.position(named: text)
    // Words for "metro" are dropped from the text only if the text isn't a station's name with
    // them.
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

  /// Returns the error for an unknown name, with up to three suggestions.
  func unknownStation(_ name: String) -> FieldError {
    var suggested = Array(ranked(name).prefix(3))
    if suggested.isEmpty {
      let key = Array(String(decoding: NameKey(name).bytes, as: UTF8.self).prefix(64))
      // Of five letters or fewer, one may be wrong; of more, a third.
      let limit = max(1, key.count / 3)
      let near = content.stations.indices.compactMap { index -> (distance: Int, index: Int)? in
        let distance =
          content.names.searchKeys[index].lazy.map { $0.distance(to: key) }.min() ?? .max
        return distance <= limit && distance < key.count ? (distance, index) : nil
      }
      suggested = near.sorted { $0 < $1 }.prefix(3).map(\.index)
    }
    let advice =
      suggested.isEmpty
      ? "stations(matching:) completes the beginning of a name." : "Try a similar name."
    return FieldError(
      .unknownStation, "No station in the network is named \"\(name)\". \(advice)",
      problems: suggested.map { index in
        let station = content.stations[index]
        return "\(station.name) (\(station.englishName))"
      })
  }
}

extension MetroNetwork {
  /// Returns the station with the given name, in any spelling that identifies exactly one station.
  ///
  /// These spellings are equivalent:
  /// - 臺 and 台, full width and half width, uppercase and lowercase, and any blanks and punctuation:
  ///   `臺北車站`, `ＢＬ１２`, `TaipeiMainStation`, `DAAN`.
  /// - A name with or without one final 站, 車站, or `Station`, with 捷運, `MRT`, or `Metro` before or
  ///   after it, as in `士林捷運站`, and with a line before it, as in `板南線市政府站`. A complete name is kept
  ///   as it is; otherwise, one 站 is dropped. `台北車` is therefore not a station.
  /// - The Chinese, English, Japanese, and Korean names, and the codes: `R10`, `r10`, `TRTC-BL01`,
  ///   `BL1`.
  /// - A name with its code or one of its lines before or after it, with or without parentheses:
  ///   `BL板橋`, `R10 台北車站`, `板橋(環狀線)`, `台北車站（淡水信義線）`. The line chooses the station if
  ///   names are alike: `Y新埔` is 新埔民生. A line at which no such station is has no station.
  /// - Characters that are mistaken for each other, as in `幸褔` and `新庄`.
  /// - Known misspellings of the feeds, such as 港漧 for 港墘, and a few short and former names.
  ///
  /// ```swift
  /// print(MetroNetwork.taipei.station(named: "臺北車站")?.id as Any)
  /// ```
  ///
  /// - Returns: The station, or `nil` if none has the name. To find parts of names, use
  ///   ``stations(matching:)``.
  public func station(named name: some StringProtocol) -> MetroStation? {
    content.position(named: String(name)).map { content.stations[$0] }
  }
}
