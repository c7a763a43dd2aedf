public import FieldCore
public import FieldFoundation

extension ZooTexts {
  /// The title while the list is loading: `動物集合中`, exactly as in the old app.
  public static var loadingTitle: FieldText {
    FieldText(
      "zoo.loading.title",
      templates: [.english: "Gathering the animals", .traditionalChinese: "動物集合中"])
  }

  /// The text while the list is loading: `請稍候。。。`, exactly as in the old app.
  public static var loadingText: FieldText {
    FieldText(
      "zoo.loading.text",
      templates: [.english: "Please wait …", .traditionalChinese: "請稍候。。。"])
  }

  /// The title when a sighting is refused: `資料還沒填妥喔`, exactly as in the old app.
  public static var refusalTitle: FieldText {
    FieldText(
      "zoo.sighting.refused.title",
      templates: [.english: "Something is missing", .traditionalChinese: "資料還沒填妥喔"])
  }

  /// The text when a sighting is refused because the photo or name is missing: `請確定已插入照片與動物名稱！`,
  /// exactly as in the old app.
  public static var refusalText: FieldText {
    FieldText(
      "zoo.sighting.refused.text",
      templates: [
        .english: "Please add a photo and the animal's name.",
        .traditionalChinese: "請確定已插入照片與動物名稱！",
      ])
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
      "zoo.sighting.problem.\(problem.rawValue)",
      templates: [
        .english: text?.english ?? name, .traditionalChinese: text?.chinese ?? name,
      ])
  }

  /// Returns the age of the zoo's part of a list, in hours below two days, then in days.
  ///
  /// If the zoo's part has never been updated, the string says so.
  public static func age(of listing: ZooListing, at now: Date) -> FieldText {
    guard let age = listing.age(at: now) else {
      return FieldText(
        "zoo.age.never", templates: [.english: "never updated", .traditionalChinese: "尚未更新"])
    }
    let hours = Int(clamping: age.components.seconds / 3600)
    switch hours {
    case 0:
      return FieldText(
        "zoo.age.now", templates: [.english: "just updated", .traditionalChinese: "剛剛更新"])
    case 1..<48:
      return FieldText(
        "zoo.age.hours", .count(hours),
        templates: [
          .english: .init(one: "updated {0} hour ago", other: "updated {0} hours ago"),
          .traditionalChinese: "{0} 小時前更新",
        ])
    default:
      return FieldText(
        "zoo.age.days", .count(hours / 24),
        templates: [.english: "updated {0} days ago", .traditionalChinese: "{0} 天前更新"])
    }
  }
}
