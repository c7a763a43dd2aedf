package import FieldCore

/// Guidance for the module's error codes.
package enum TransitGuidance {
  /// The guidance for each code.
  package static let table = GuidanceRow.table([
    .init(
      .transitZone, in: .device, .report,
      en: ("Unknown Time Zone", "The device doesn't know the time zone of the timetable."),
      zh: ("不明的時區", "裝置沒有此時刻表所用時區的資料。"),
      ko: ("알 수 없는 시간대", "기기에 시간표의 시간대 정보가 없습니다.")),
    .init(
      .transitStop, in: .caller, .reload,
      en: ("Unknown Stop", "The stop isn't in the timetable."),
      zh: ("找不到站牌", "時刻表中沒有這個站牌。"),
      ko: ("알 수 없는 정류장", "시간표에 없는 정류장입니다.")),
    .init(
      .transitFeedRefused, in: .source, .later,
      en: ("Timetable Not Updated", "The new timetable is empty, has expired, or is incomplete."),
      zh: ("時刻表未更新", "新的時刻表是空的、已過期或不完整。"),
      ko: ("시간표가 업데이트되지 않음", "새 시간표가 비어 있거나 만료되었거나 불완전합니다.")),
  ])
}

extension FieldError.Code {
  /// The system has no rules for the feed's time zone.
  public static var transitZone: Self { Self(rawValue: "transit.zone") { TransitGuidance.table } }
  /// The stop isn't in the timetable.
  public static var transitStop: Self { Self(rawValue: "transit.stop") { TransitGuidance.table } }
  /// The feed was refused because it is empty, has expired, or is much smaller than the one before.
  public static var transitFeedRefused: Self {
    Self(rawValue: "transit.feedRefused") { TransitGuidance.table }
  }
}
