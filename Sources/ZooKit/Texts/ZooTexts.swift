public import FieldCore
public import FieldFoundation

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
      en: known.map { FieldText.Template(other: $0.name) } ?? chinese, zh: chinese)
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
      "zoo.status.\(status.rawValue)", en: .init(other: known?.english ?? status.rawValue),
      zh: .init(other: known?.chinese ?? status.rawValue),
      ko: .init(other: known?.korean ?? status.rawValue))
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
      "zoo.protection.\(category.rawValue)", en: .init(other: known?.english ?? category.rawValue),
      zh: .init(other: known?.chinese ?? category.rawValue))
  }

  /// Returns the name to show of a record that always has a Chinese name and usually an English
  /// one.
  static func name(_ chinese: String, english: String?, in language: TextLanguage) -> String {
    // The names are arguments, not templates: a brace in a name is an ordinary character.
    FieldText("zoo.name", .text(english ?? chinese), .text(chinese), en: "{0}", zh: "{1}")
      .string(in: language)
  }

  /// The title while the list is loading: `動物集合中`, exactly as in the old app.
  public static var loadingTitle: FieldText {
    FieldText("zoo.loading.title", en: "Gathering the animals", zh: "動物集合中")
  }

  /// The text while the list is loading: `請稍候。。。`, exactly as in the old app.
  public static var loadingText: FieldText {
    FieldText("zoo.loading.text", en: "Please wait …", zh: "請稍候。。。")
  }

  /// The title when a sighting is refused: `資料還沒填妥喔`, exactly as in the old app.
  public static var refusalTitle: FieldText {
    FieldText("zoo.sighting.refused.title", en: "Something is missing", zh: "資料還沒填妥喔")
  }

  /// The text when a sighting is refused because the photo or name is missing: `請確定已插入照片與動物名稱！`,
  /// exactly as in the old app.
  public static var refusalText: FieldText {
    FieldText(
      "zoo.sighting.refused.text", en: "Please add a photo and the animal's name.",
      zh: "請確定已插入照片與動物名稱！")
  }

  /// Returns a short description of a sighting's problem.
  public static func text(of problem: SightingProblem) -> FieldText {
    let texts: [SightingProblem: (english: FieldText.Template, chinese: FieldText.Template)] = [
      .nameMissing: ("The name is missing.", "請輸入動物名稱。"),
      .nameTooLong: ("The name is too long.", "動物名稱太長了。"),
      .photoMissing: ("The photo is missing.", "請插入照片。"),
      .photoTooLarge: ("The photo is too large.", "照片檔案太大了。"),
      .photoFormat: ("This file is no photo.", "這個檔案不是照片。"),
      .photoLost: ("The photo is lost.", "照片遺失了。"),
      .photoDamaged: ("The photo is damaged.", "照片已損壞。"),
      .photoUnreadable: ("The photo cannot be read just now.", "目前無法讀取照片。"),
      .recordDamaged: ("The record cannot be read.", "紀錄無法讀取。"),
    ]
    let text = texts[problem]
    let name = FieldText.Template(other: problem.rawValue)
    return FieldText(
      "zoo.sighting.problem.\(problem.rawValue)", en: text?.english ?? name,
      zh: text?.chinese ?? name)
  }

  /// Returns the age of the zoo's part of a list, in hours below two days, then in days.
  ///
  /// If the zoo's part has never been updated, the string says so.
  public static func age(of listing: ZooListing, at now: Date) -> FieldText {
    guard let age = listing.age(at: now) else {
      return FieldText("zoo.age.never", en: "never updated", zh: "尚未更新")
    }
    let hours = Int(clamping: age.components.seconds / 3600)
    switch hours {
    case 0:
      return FieldText("zoo.age.now", en: "just updated", zh: "剛剛更新")
    case 1..<48:
      return FieldText(
        "zoo.age.hours", .count(hours),
        en: .init(one: "updated {0} hour ago", other: "updated {0} hours ago"), zh: "{0} 小時前更新")
    default:
      return FieldText(
        "zoo.age.days", .count(hours / 24), en: "updated {0} days ago", zh: "{0} 天前更新")
    }
  }
}
