public import FieldCore
public import FieldFoundation

/// The localized strings about arrivals, in Chinese and in English; the verdicts in Korean, too.
///
/// Each string is a `FieldText`; you can show it as it is, or replace its wording by its key. The
/// Chinese strings for loading and for a right guess are exactly those of the old app.
public enum MetroTexts {
  /// The title while the board is loading: `可愛的捷運資訊`.
  public static var loadingTitle: FieldText {
    FieldText("metro.loading.title", en: "Lovely metro news", zh: "可愛的捷運資訊")
  }

  /// The text while the board is loading: `正在可愛地載入中。。。`.
  public static var loadingText: FieldText {
    FieldText("metro.loading.text", en: "Loading, in a lovely way …", zh: "正在可愛地載入中。。。")
  }

  /// Returns the title, the text, and the label of the button for a guess; `name` is the destination
  /// if it was right, and the guess if it was wrong.
  static func guess(
    isRight: Bool, name: String
  ) -> (title: FieldText, text: FieldText, button: FieldText) {
    isRight
      ? (
        FieldText(
          "metro.guess.right.title", en: "Clever you, that is right!", zh: "你好聰明，竟然答對了！"),
        FieldText(
          "metro.guess.right.text", .text(name), en: "It really goes to {0}!", zh: "真的是{0}耶!"),
        FieldText("metro.guess.right.button", en: "But of course", zh: "當然當然")
      )
      : (
        FieldText("metro.guess.wrong.title", en: "Not this time", zh: "可惜，沒猜中"),
        FieldText(
          "metro.guess.wrong.text", .text(name), en: "It does not go to {0}.", zh: "不是{0}喔。"),
        FieldText("metro.guess.wrong.button", en: "Guess again", zh: "再猜一次")
      )
  }

  /// Returns the word for a policy's verdict on a row, such as `fresh`, `最新`, and `최신`.
  public static func name(of freshness: ArrivalFreshness) -> FieldText {
    let names: [ArrivalFreshness: (chinese: String, korean: String)] = [
      .fresh: ("最新", "최신"), .old: ("已過時", "오래됨"), .frozen: ("停止更新", "멈춤"),
      .ahead: ("時間超前", "시각이 앞섬"), .undated: ("時間不明", "시각 없음"),
    ]
    let known = names[freshness]
    return FieldText(
      "metro.freshness.\(freshness.rawValue)", en: .init(other: freshness.rawValue),
      zh: .init(other: known?.chinese ?? freshness.rawValue),
      ko: .init(other: known?.korean ?? freshness.rawValue))
  }

  /// Returns the age of a board, such as `updated 12 seconds ago`, in minutes from two minutes on.
  ///
  /// If there has never been a board, the string says so.
  public static func age(of board: ArrivalBoard) -> FieldText {
    guard let age = board.age else {
      return FieldText("metro.age.never", en: "never updated", zh: "尚未更新")
    }
    let seconds = Int(clamping: age.components.seconds)
    guard seconds >= 120 else {
      return FieldText(
        "metro.age.seconds", .count(seconds),
        en: .init(one: "updated {0} second ago", other: "updated {0} seconds ago"),
        zh: "{0} 秒前更新")
    }
    return FieldText(
      "metro.age.minutes", .count(seconds / 60), en: "updated {0} minutes ago",
      zh: "{0} 分鐘前更新")
  }

  /// Returns what a departure is known from and when it is, such as `by the timetable in 4 minutes`.
  ///
  /// The minutes are full ones; of a time that has passed, there are none left.
  ///
  /// - Parameters:
  ///   - departure: The departure.
  ///   - date: The moment from which the minutes count, such as ``ArrivalBoard/asOf``.
  public static func departure(_ departure: MetroDeparture, asOf date: Date) -> FieldText {
    let seconds = Int64(limiting: departure.date.timeIntervalSince(date).rounded(.down))
    let minutes = Int(clamping: max(0, seconds) / 60)
    let key = "metro.departure.\(departure.basis.rawValue)"
    return switch departure.basis {
    case .live:
      FieldText(
        key, .count(minutes), en: .init(one: "live, in {0} minute", other: "live, in {0} minutes"),
        zh: "即時：{0} 分鐘後")
    case .predicted:
      FieldText(
        key, .count(minutes),
        en: .init(one: "expected in {0} minute", other: "expected in {0} minutes"),
        zh: "預計 {0} 分鐘後")
    case .timetable:
      FieldText(
        key, .count(minutes),
        en: .init(one: "by the timetable in {0} minute", other: "by the timetable in {0} minutes"),
        zh: "依時刻表 {0} 分鐘後")
    case .headway:
      FieldText(
        key, .count(minutes),
        en: .init(
          one: "by the usual interval in about {0} minute",
          other: "by the usual interval in about {0} minutes"),
        zh: "依班距約 {0} 分鐘後")
    }
  }
}
