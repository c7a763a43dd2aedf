extension Meteorite {
  /// A group of meteorite classes; twelve rules on a class's first word cover all 466 in the
  /// source.
  ///
  /// Source: M. K. Weisberg, T. J. McCoy, A. N. Krot, "Systematics and Evaluation of Meteorite
  /// Classification" (2006).
  public struct ClassGroup: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The name of the group.
    public var rawValue: String
    /// Creates a group from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Chondrites of the H, L, and LL groups, including relicts.
    public static var ordinaryChondrite: Self { Self(rawValue: "ordinary chondrite") }
    /// Chondrites of the groups whose names begin with C.
    public static var carbonaceousChondrite: Self { Self(rawValue: "carbonaceous chondrite") }
    /// Chondrites of the EH and EL groups.
    public static var enstatiteChondrite: Self { Self(rawValue: "enstatite chondrite") }
    /// Chondrites of the R group.
    public static var rumurutiChondrite: Self { Self(rawValue: "Rumuruti chondrite") }
    /// Chondrites of the K grouplet.
    public static var kakangariChondrite: Self { Self(rawValue: "Kakangari chondrite") }
    /// Other chondrites, and impact melts of chondrites.
    public static var otherChondrite: Self { Self(rawValue: "other chondrite") }
    /// Stony meteorites from bodies that have melted: the Moon, Mars, and asteroids.
    public static var achondrite: Self { Self(rawValue: "achondrite") }
    /// Iron meteorites, including relicts.
    public static var iron: Self { Self(rawValue: "iron") }
    /// Pallasites and mesosiderites.
    public static var stonyIron: Self { Self(rawValue: "stony-iron") }
    /// Fragments of fusion crust.
    public static var fusionCrust: Self { Self(rawValue: "fusion crust") }
    /// Unclassified stones, and classes that aren't recognized.
    public static var unknown: Self { Self(rawValue: "unknown") }

    /// All groups, ordered by their size in NASA's table, largest first.
    public static var all: [Self] {
      [
        .ordinaryChondrite, .achondrite, .carbonaceousChondrite, .iron, .enstatiteChondrite,
        .stonyIron, .rumurutiChondrite, .unknown, .otherChondrite, .fusionCrust,
        .kakangariChondrite,
      ]
    }
  }
}

extension Meteorite.ClassGroup: CustomStringConvertible {
  /// The name of the group.
  public var description: String { rawValue }
}

extension Meteorite.ClassGroup {
  /// Creates the group of a class from its first word, ignoring a leading `Relict`.
  init(of name: String) {
    if name.contains(bytesOf: "usion crust") {
      self = .fusionCrust
      return
    }
    var words = name.split(separator: " ")
    if words.first == "Relict" { words.removeFirst() }
    let letters = (words.first ?? "").prefix { $0.isASCII && $0.isLetter }
    self = Self.groupsByWord[letters.uppercased()] ?? .unknown
  }

  private static let groupsByWord = Dictionary(
    uniqueKeysWithValues: all.flatMap { group in group.words.map { ($0, group) } })
}

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
}
