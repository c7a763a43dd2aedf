/// The positions of stations, by all their names.
struct StationNames: Sendable {
  private var exact: [String: Int32] = [:]
  private var positions: [NameKey: Int32] = [:]
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
    return true
  }

  /// Returns the position of the station with a name in any spelling.
  func position(of name: String) -> Int? {
    // Most names are spelled exactly as added, and are found without folding.
    if let position = exact[name] { return Int(position) }
    let key = NameKey(name)
    return (position(of: key) ?? key.withoutMetro.lazy.compactMap(position(of:)).first)
      .map(Int.init)
  }

  private func position(of key: NameKey) -> Int32? {
    if let position = positions[key] { return position }
    return key.withoutStation.lazy.compactMap { positions[$0] }.first
  }
}
