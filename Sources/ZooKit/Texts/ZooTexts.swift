public import FieldCore

/// The localized strings about the zoo's data, in Chinese and in English; the Red List's in Korean, too.
///
/// Each string is a `FieldText`; you can show it as it is, or replace its wording by its key.
public enum ZooTexts {
  /// Returns the name of a class of animals, such as `Mammals` and `哺乳綱`.
  public static func name(of animalClass: AnimalClass) -> FieldText {
    let english: [AnimalClass: (key: String, name: String)] = [
      .mammals: ("mammals", "Mammals"), .birds: ("birds", "Birds"),
      .reptiles: ("reptiles", "Reptiles"), .amphibians: ("amphibians", "Amphibians"),
      .bonyFishes: ("bonyFishes", "Bony fishes"),
      .cartilaginousFishes: ("cartilaginousFishes", "Cartilaginous fishes"),
      .insects: ("insects", "Insects"), .arachnids: ("arachnids", "Arachnids"),
      .centipedes: ("centipedes", "Centipedes"),
    ]
    let chinese = FieldText.Template(other: animalClass.rawValue)
    let known = english[animalClass]
    return FieldText(
      "zoo.class.\(known?.key ?? animalClass.rawValue)",
      templates: [
        .english: known.map { FieldText.Template(other: $0.name) } ?? chinese,
        .traditionalChinese: chinese,
      ])
  }

  /// Returns the name of a Red List status, such as `Vulnerable`, `易危`, and `취약`.
  public static func name(of status: ConservationStatus) -> FieldText {
    let names: [ConservationStatus: (english: String, chinese: String, korean: String)] = [
      .extinct: ("Extinct", "滅絕", "절멸"),
      .extinctInTheWild: ("Extinct in the wild", "野外滅絕", "야생 절멸"),
      .criticallyEndangered: ("Critically endangered", "極危", "위급"),
      .endangered: ("Endangered", "瀕危", "위기"), .vulnerable: ("Vulnerable", "易危", "취약"),
      .nearThreatened: ("Near threatened", "近危", "준위협"),
      .leastConcern: ("Least concern", "無危", "최소 관심"),
      .dataDeficient: ("Data deficient", "資料不足", "정보 부족"),
      .notEvaluated: ("Not evaluated", "未評估", "미평가"),
    ]
    let known = names[status]
    return FieldText(
      "zoo.status.\(status.rawValue)",
      templates: [
        .english: .init(other: known?.english ?? status.rawValue),
        .traditionalChinese: .init(other: known?.chinese ?? status.rawValue),
        .korean: .init(other: known?.korean ?? status.rawValue),
      ])
  }

  /// Returns the name of a protection category in Taiwan.
  public static func name(of category: ProtectionCategory) -> FieldText {
    let names: [ProtectionCategory: (english: String, chinese: String)] = [
      .endangered: ("Endangered species (category I)", "瀕臨絕種野生動物"),
      .rareAndValuable: ("Rare and valuable species (category II)", "珍貴稀有野生動物"),
      .otherProtected: ("Other conservation-deserving wildlife (category III)", "其他應予保育之野生動物"),
      .protected: ("Protected wildlife", "保育類野生動物"),
      .general: ("General wildlife", "一般類野生動物"),
    ]
    let known = names[category]
    return FieldText(
      "zoo.protection.\(category.rawValue)",
      templates: [
        .english: .init(other: known?.english ?? category.rawValue),
        .traditionalChinese: .init(other: known?.chinese ?? category.rawValue),
      ])
  }

  /// Returns the name to show of a record that always has a Chinese name and usually an English
  /// one.
  static func name(_ chinese: String, english: String?, in language: TextLanguage) -> String {
    FieldText(
      "zoo.name",
      templates: [
        .english: .init(other: "{0}"), .traditionalChinese: .init(other: "{1}"),
      ]
    ).filled(english: english ?? chinese, chinese: chinese, in: language)
  }
}

extension FieldText {
  /// The names are arguments, not templates: a brace in a name is an ordinary character.
  fileprivate func filled(english: String, chinese: String, in language: TextLanguage) -> String {
    FieldText(key, .text(english), .text(chinese), templates: templates).string(in: language)
  }
}
