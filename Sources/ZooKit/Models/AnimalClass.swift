public import FieldCore

/// A class of animals, identified by its Chinese name in the zoo's spelling.
///
/// The constants are the nine classes of 2026. A later class has a name but no English title.
public struct AnimalClass: RawRepresentable, Sendable, Hashable, Codable {
  /// The Chinese name, such as `哺乳綱`.
  public var rawValue: String
  /// Creates a class from its Chinese name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Mammals.
  public static var mammals: Self { Self(rawValue: "哺乳綱") }
  /// Birds.
  public static var birds: Self { Self(rawValue: "鳥綱") }
  /// Reptiles.
  public static var reptiles: Self { Self(rawValue: "爬蟲綱") }
  /// Amphibians.
  public static var amphibians: Self { Self(rawValue: "兩棲綱") }
  /// Bony fishes.
  public static var bonyFishes: Self { Self(rawValue: "硬骨魚綱") }
  /// Cartilaginous fishes, such as rays.
  public static var cartilaginousFishes: Self { Self(rawValue: "軟骨魚綱") }
  /// Insects.
  public static var insects: Self { Self(rawValue: "昆蟲綱") }
  /// Arachnids, such as spiders and scorpions.
  public static var arachnids: Self { Self(rawValue: "蛛形綱") }
  /// Centipedes.
  public static var centipedes: Self { Self(rawValue: "唇足綱") }

  /// The nine classes in the zoo's data of 2026.
  public static var known: [AnimalClass] {
    [
      .mammals, .birds, .reptiles, .amphibians, .bonyFishes, .cartilaginousFishes, .insects,
      .arachnids, .centipedes,
    ]
  }

  /// The localized name.
  public var title: FieldText { ZooTexts.name(of: self) }
}
