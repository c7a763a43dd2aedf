internal import FieldCore

/// Finds areas by the names that other tables use for them.
///
/// The tables disagree: brackets of either width, `鳥園` for `鳥園區`, `室內館/昆蟲館` for `昆蟲館`, `大貓熊館` for
/// `新光特展館（大貓熊館）`. A name is looked up as it is, then by the known aliases, and then by its parts:
/// the text before and in brackets, after a slash, and without a final 區.
struct ZooAreaNames: Sendable {
  private var positions: [String: Int] = [:]

  init(of areas: [ZooArea], aliases: [String: String]) {
    let keys = areas.map { TextFolding.fold($0.name) }
    positions = Dictionary(zip(keys, areas.indices)) { first, _ in first }
    for (alias, name) in aliases.sorted(by: { $0.key < $1.key }) {
      let key = TextFolding.fold(alias)
      if positions[key] == nil, let position = positions[TextFolding.fold(name)] {
        positions[key] = position
      }
    }
    // Whole names take precedence over parts; a part that two areas share identifies neither.
    var parts: [String: Set<Int>] = [:]
    for (position, area) in areas.enumerated() {
      for part in Self.parts(of: TextFolding.fold(area.name)) {
        parts[part, default: []].insert(position)
      }
    }
    for (part, owners) in parts where owners.count == 1 && positions[part] == nil {
      positions[part] = owners.first
    }
  }

  func position(of name: String) -> Int? {
    let key = TextFolding.fold(name)
    if let position = positions[key] { return position }
    return Self.parts(of: key).lazy.compactMap { positions[$0] }.first
  }

  /// Returns the parts of a folded name that can stand for it.
  private static func parts(of name: String) -> [String] {
    var words: [Substring] = []
    // Bytes, because looking for characters backward takes quadratic time in a run of flags.
    if let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) {
      words.append(name[name.utf8.index(after: slash)...])
    }
    if let open = name.firstIndex(of: "(") {
      words.append(name[..<open])
      words.append(name[name.index(after: open)...].prefix { $0 != ")" })
    }
    if words.isEmpty { words.append(name[...]) }
    return words.flatMap { word -> [String] in
      let word = ZooWords.trimmed(word)
      if word.isEmpty { return [] }
      return word.hasSuffix("區") && word.count > 2 ? [word, String(word.dropLast())] : [word]
    }
  }
}

extension ZooArea {
  /// The names that other tables use for areas, each with the area's own name.
  ///
  /// Names that differ only in width, in brackets, or by a final 區 need no entry.
  public static var knownAliases: [String: String] {
    [
      "室內館/昆蟲館": "昆蟲館",
      "大貓熊館": "新光特展館（大貓熊館）",
      "新光特展館": "新光特展館（大貓熊館）",
      "穿山甲館": "熱帶雨林室內館（穿山甲館）",
      "熱帶雨林室內館": "熱帶雨林室內館（穿山甲館）",
      "熱帶雨林館": "熱帶雨林室內館（穿山甲館）",
      "穿山甲館(熱帶雨林館)": "熱帶雨林室內館（穿山甲館）",
      "兩棲爬蟲館": "兩棲爬蟲動物館",
      "鳥園": "鳥園區",
    ]
  }
}
