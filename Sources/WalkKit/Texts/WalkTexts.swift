public import FieldCore

/// Localized strings about walks, in Korean, English, and Chinese.
///
/// Each is a `FieldText`, which you can display as it is or replace by its key. If the old app has
/// a text, the Korean one is identical.
public enum WalkTexts {
  /// Returns the time of a walk in progress in the form `MM : SS`, with unlimited minutes, as in
  /// `61 : 05`.
  ///
  /// Fractions of a second are dropped, and a negative time becomes zero.
  public static func clock(_ time: Duration) -> String {
    let (minutes, seconds) = parts(of: time)
    return "\(minutes.digits(2)) : \(seconds.digits(2))"
  }

  /// Returns the duration of a completed walk, such as `0분 17초`.
  public static func duration(_ time: Duration) -> FieldText {
    let (minutes, seconds) = parts(of: time)
    return FieldText(
      "walks.duration", .text(String(minutes)), .text(String(seconds)), en: "{0} min {1} s",
      zh: "{0} 分 {1} 秒", ko: "{0}분 {1}초")
  }

  /// Returns the day of a walk in its own time zone, such as `2020-02-14`.
  public static func day(of walk: Walk) -> String { walk.day.description }

  /// Returns the start time of a walk in its own time zone, such as `19:18:00`.
  public static func startTime(of walk: Walk) -> String {
    let wall = WallTime(walk.start, in: walk.utcOffset)
    return "\(wall.hour.digits(2)):\(wall.minute.digits(2)):\(wall.second.digits(2))"
  }

  /// Returns the title of a walk in a history, such as `2020-01-29 20:04:23 의 산책 기록`.
  ///
  /// The title of a walk without a date says so instead of naming 1970.
  public static func title(of walk: Walk) -> FieldText {
    guard !walk.isUndated else {
      return FieldText(
        "walks.title.undated", en: "Walk of an unknown date", zh: "日期不明的散步紀錄",
        ko: "날짜를 알 수 없는 산책 기록")
    }
    return FieldText(
      "walks.title", .text("\(day(of: walk)) \(startTime(of: walk))"), en: "Walk of {0}",
      zh: "{0} 的散步紀錄", ko: "{0} 의 산책 기록")
  }

  /// The text on a completed walk with a reward: `칭찬해주세요 ↑`.
  public static var praise: FieldText {
    FieldText("walks.praise", en: "Say well done ↑", zh: "請稱讚牠 ↑", ko: "칭찬해주세요 ↑")
  }

  /// Returns the name of a breed, which is the owner's own text if the breed isn't known.
  public static func name(of breed: Breed) -> FieldText {
    guard breed.isKnown else {
      return FieldText("walks.breed.own", .text(breed.rawValue), templates: [.english: "{0}"])
    }
    return FieldText(
      "walks.breed.\(breed.rawValue)", .text(breed.rawValue), en: .init(other: breed.englishName),
      zh: .init(other: breed.chineseName), ko: .init(other: breed.koreanName))
  }

  /// Returns the message to display for an error.
  ///
  /// For an unknown code, the message is that the walk couldn't be saved, as in the old app.
  public static func message(for error: FieldError) -> FieldText {
    switch error.code {
    case .nameTaken:
      message("nameTaken", "동일한 이름이 존재합니다.", "There is a pet of this name already.", "已經有同名的寵物。")
    case .invalidInput:
      message("input", "입력한 내용을 확인해주세요.", "Please check what you entered.", "請檢查輸入的內容。")
    case .operationInProgress:
      message("inProgress", "이미 처리 중입니다.", "This is being done already.", "正在處理中。")
    case .unknownPet, .unknownWalk, .unknownPlace:
      message("gone", "이미 삭제되었습니다.", "This is not there any more.", "這筆資料已經刪除。")
    case .petArchived:
      message("archived", "보관 중인 반려동물입니다.", "This pet is archived.", "這隻寵物已封存。")
    case .blobMissing, .assetMissing, .notFound:
      message(
        "missing", "사진이나 경로를 찾을 수 없습니다.", "The photo or the route cannot be found.", "找不到照片或路線。")
    case .offline, .timeout, .connectionLost:
      message("offline", "인터넷 연결을 확인해주세요.", "Please check the internet connection.", "請檢查網路連線。")
    case .newerFormat:
      message("update", "앱을 업데이트해주세요.", "Please update the app.", "請更新 App。")
    case .diskFull:
      message("diskFull", "저장 공간이 부족합니다.", "There is no room left on the device.", "儲存空間不足。")
    default:
      message("save", "산책 데이터 저장에 실패했습니다.", "The walk could not be saved.", "散步資料儲存失敗。")
    }
  }

  private static func message(
    _ name: String, _ korean: FieldText.Template, _ english: FieldText.Template,
    _ chinese: FieldText.Template
  ) -> FieldText {
    FieldText("walks.error.\(name)", en: english, zh: chinese, ko: korean)
  }

  private static func parts(of time: Duration) -> (minutes: Int64, seconds: Int64) {
    let seconds = max(time.components.seconds, 0)
    return (seconds / 60, seconds % 60)
  }
}
