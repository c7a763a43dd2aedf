extension Meteorite {
  /// The group of a class: twelve rules over the class's first word cover all 466 of the source.
  ///
  /// Source: M. K. Weisberg, T. J. McCoy, A. N. Krot, "Systematics and Evaluation of Meteorite
  /// Classification" (2006).
  public struct ClassGroup: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable {
    /// The name of the group.
    public var rawValue: String
    /// Makes a group from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Chondrites of the groups H, L and LL, with their relicts.
    public static var ordinaryChondrite: Self { Self(rawValue: "ordinary chondrite") }
    /// Chondrites of the groups whose names begin with C.
    public static var carbonaceousChondrite: Self { Self(rawValue: "carbonaceous chondrite") }
    /// Chondrites of the groups EH and EL.
    public static var enstatiteChondrite: Self { Self(rawValue: "enstatite chondrite") }
    /// Chondrites of the group R.
    public static var rumurutiChondrite: Self { Self(rawValue: "Rumuruti chondrite") }
    /// Chondrites of the grouplet K.
    public static var kakangariChondrite: Self { Self(rawValue: "Kakangari chondrite") }
    /// Other chondrites, and impact melts of chondrites.
    public static var otherChondrite: Self { Self(rawValue: "other chondrite") }
    /// Stony meteorites from bodies that have melted: Moon, Mars and asteroids.
    public static var achondrite: Self { Self(rawValue: "achondrite") }
    /// Iron meteorites, with their relicts.
    public static var iron: Self { Self(rawValue: "iron") }
    /// Pallasites and mesosiderites.
    public static var stonyIron: Self { Self(rawValue: "stony-iron") }
    /// Pieces of fusion crust.
    public static var fusionCrust: Self { Self(rawValue: "fusion crust") }
    /// Stones that nobody has classified, and words that are not known here.
    public static var unknown: Self { Self(rawValue: "unknown") }

    /// The groups, the largest first as NASA's table counts them.
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
  /// The group of a class: decided by the class's first word, after `Relict` where that stands first.
  init(of name: String) {
    if name.contains("usion crust") {
      self = .fusionCrust
      return
    }
    var words = name.split(separator: " ")
    if words.first == "Relict" { words.removeFirst() }
    let letters = (words.first ?? "").prefix { $0.isASCII && $0.isLetter }
    self =
      switch letters.lowercased() {
      case "h", "l", "ll", "oc": .ordinaryChondrite
      case "e", "eh", "el": .enstatiteChondrite
      case "r": .rumurutiChondrite
      case "k": .kakangariChondrite
      case "c", "cb", "cba", "cbb", "ch", "ci", "ck", "cm", "co", "cr", "cv":
        .carbonaceousChondrite
      case "chondrite", "impact": .otherChondrite
      case "iron": .iron
      case "pallasite", "mesosiderite": .stonyIron
      case "acapulcoite", "achondrite", "angrite", "aubrite", "brachinite", "diogenite", "enst",
        "eucrite", "howardite", "lodranite", "lunar", "martian", "ureilite", "winonaite":
        .achondrite
      default: .unknown
      }
  }
}
