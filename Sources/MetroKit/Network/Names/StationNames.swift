internal import FieldCore

/// The positions of stations, by all their names.
struct StationNames: Sendable {
  private var exact: [String: Int32] = [:]
  private var positions: [NameKey: Int32] = [:]
  /// The positions by keys without mistaken characters, where those differ; -1 for several.
  private var plainPositions: [NameKey: Int32] = [:]
  /// The labels of lines, longest first, with the stations of the line.
  private var lines: [(label: NameKey, stations: Set<Int32>)] = []
  /// The searchable names of each station: all that were added for searching.
  private(set) var searchKeys: [[SearchKey]] = []

  /// Adds a name; returns `false` if another station already has it.
  mutating func add(_ name: String, for station: Int32, isSearched: Bool = true) -> Bool {
    guard add(NameKey(name), for: station) else { return false }
    exact[name] = station
    if isSearched {
      while searchKeys.count <= Int(station) { searchKeys.append([]) }
      searchKeys[Int(station)].append(SearchKey(name))
    }
    return true
  }

  /// Adds a spelling that would be found anyway, so that it's found faster.
  mutating func addShortcut(_ name: String, for station: Int32) {
    if exact[name] == nil { exact[name] = station }
  }

  /// Adds a key; returns `false` if another station already has it or the key is empty.
  mutating func add(_ key: NameKey, for station: Int32) -> Bool {
    guard !key.isEmpty else { return false }
    if let known = positions[key] { return known == station }
    positions[key] = station
    let plain = key.withoutMistakes
    if plain != key || plainPositions[plain] != nil {
      // Two stations that only differ in mistaken characters need them.
      let known = plainPositions[plain]
      plainPositions[plain] = known == nil || known == station ? station : -1
    }
    return true
  }

  /// Adds a line, with its stations, so that its code or name may accompany theirs.
  mutating func add(_ line: MetroLine, stations: Set<Int32>) {
    // Passengers call a line by either of its ends, too: 淡水線, 信義線.
    let base = line.name.hasSuffix("線") ? String(line.name.dropLast()) : line.name
    let ends = base.count == 4 ? ["\(base.prefix(2))線", "\(base.suffix(2))線"] : []
    let names =
      [line.id.rawValue, line.name, base, line.englishName] + ends
      + [line.japaneseName, line.koreanName].compactMap(\.self)
    for key in Set(names.map(NameKey.init)) where !key.isEmpty {
      lines.append((key, stations))
    }
    // The longest label of a text is the right one: `bl` before `b`.
    lines.sort { $0.label.bytes.count > $1.label.bytes.count }
  }

  /// Returns the position of the station with a name in any spelling.
  func position(of name: String) -> Int? {
    let name = name.streamSafe
    // Most names are spelled exactly as added, and are found without folding.
    if let position = exact[name] { return Int(position) }
    let key = NameKey(name)
    return (positionWithoutLine(of: key) ?? positionOnLine(of: key)).map(Int.init)
  }

  private func positionWithoutLine(of key: NameKey) -> Int32? {
    position(of: key) ?? key.withoutMetro.lazy.compactMap(position(of:)).first
  }

  /// Returns the position of a station whose name stands beside its code or one of its lines, as in
  /// `BL板橋`, `R10 台北車站`, and `台北車站（淡水信義線）`; `nil` if the station isn't on the line.
  private func positionOnLine(of key: NameKey, depth: Int = 0) -> Int32? {
    for (code, rest) in key.withoutCode {
      if let station = position(of: code), positionWithoutLine(of: rest) == station {
        return station
      }
    }
    for (label, stations) in lines {
      for rest in key.without(label: label) {
        // A station can be followed by all its lines.
        let found =
          positionWithoutLine(of: rest)
          ?? (depth < 3 ? positionOnLine(of: rest, depth: depth + 1) : nil)
        if let found, stations.contains(found) { return found }
        // The station may have a longer name on this line: 新埔 of the Circular line is 新埔民生.
        let longer = rest.bytes.count < 6 ? [] : stations.filter { isName($0, beginningWith: rest) }
        if found != nil, longer.count == 1 { return longer.first }
      }
    }
    return nil
  }

  private func isName(_ station: Int32, beginningWith key: NameKey) -> Bool {
    searchKeys[Int(station)].first?.match(key) == .beginning
  }

  private func position(of key: NameKey) -> Int32? {
    ([key] + key.withoutStation).lazy.compactMap { key in
      if let position = positions[key] { return position }
      let plain = key.withoutMistakes
      return (positions[plain] ?? plainPositions[plain]).flatMap { $0 < 0 ? nil : $0 }
    }.first
  }
}
