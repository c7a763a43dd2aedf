public import FieldCore

/// A class of animals, by its Chinese name as the zoo writes it.
///
/// These are the nine of 2026; a class that comes later has its name and no title in English.
public struct AnimalClass: RawRepresentable, Sendable, Hashable, Codable {
  /// The name in Chinese, such as `哺乳綱`.
  public var rawValue: String
  /// Makes a class from its Chinese name.
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

  /// The nine classes of the zoo's data of 2026.
  public static var known: [AnimalClass] {
    [
      .mammals, .birds, .reptiles, .amphibians, .bonyFishes, .cartilaginousFishes, .insects,
      .arachnids, .centipedes,
    ]
  }

  /// The name to show.
  public var title: FieldText { ZooTexts.name(of: self) }
}
