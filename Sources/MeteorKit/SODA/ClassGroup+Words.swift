extension Meteorite.ClassGroup {
  /// The uppercase first words of the group's classes, the same words that ``init(of:)`` uses.
  package var words: [String] {
    switch self {
    case .ordinaryChondrite: ["H", "L", "LL", "OC"]
    case .enstatiteChondrite: ["E", "EH", "EL"]
    case .rumurutiChondrite: ["R"]
    case .kakangariChondrite: ["K"]
    case .carbonaceousChondrite:
      ["C", "CB", "CBA", "CBB", "CH", "CI", "CK", "CM", "CO", "CR", "CV"]
    case .otherChondrite: ["CHONDRITE", "IMPACT"]
    case .iron: ["IRON"]
    case .stonyIron: ["PALLASITE", "MESOSIDERITE"]
    case .achondrite:
      [
        "ACAPULCOITE", "ACHONDRITE", "ANGRITE", "AUBRITE", "BRACHINITE", "DIOGENITE", "ENST",
        "EUCRITE", "HOWARDITE", "LODRANITE", "LUNAR", "MARTIAN", "UREILITE", "WINONAITE",
      ]
    default: []
    }
  }

  /// Returns the uppercase prefixes of these groups' classes, each with the longer prefixes to
  /// exclude.
  ///
  /// A word that begins with a word of another group is excluded where that other one matches: a
  /// class that begins with `HOWARDITE` doesn't have `H` as its first word. A word that another one
  /// in the list already admits needs no entry of its own.
  static func beginnings(of groups: Set<Self>) -> [(word: String, exceptions: [String])] {
    let wanted = all.filter(groups.contains).flatMap(\.words)
    let others = all.filter { !groups.contains($0) }.flatMap(\.words)
    func exceptions(_ word: String) -> [String] {
      let longer = others.filter { $0.hasPrefix(word) }
      return longer.filter { other in !longer.contains { $0 != other && other.hasPrefix($0) } }
    }
    return wanted.filter { word in
      !wanted.contains { shorter in
        shorter != word && word.hasPrefix(shorter)
          && !exceptions(shorter).contains { word.hasPrefix($0) }
      }
    }.map { ($0, exceptions($0)) }
  }
}
