package import FieldCore

/// Guidance for the kit's error codes.
package enum CivicGuidance {
  /// The guidance for each code.
  package static let table = GuidanceRow.table([
    .init(
      .civicResult, in: .source, .later,
      en: ("Update Failed", "The city's server reported that the request failed."),
      zh: ("更新失敗", "市府伺服器回報要求失敗。"),
      ko: ("업데이트 실패", "시청 서버에서 요청이 실패했다고 응답했습니다.")),
    .init(
      .unknownCivicTable, in: .caller, .report,
      en: ("Unknown Table", "The directory has no such table, or it doesn't accept these rows."),
      zh: ("沒有這份資料表", "名錄沒有這份資料表，或是不接受這類資料。"),
      ko: ("알 수 없는 표", "디렉터리에 해당 표가 없거나 이 데이터를 넣을 수 없습니다.")),
    .init(
      .unusableCivicRows, in: .source, .later,
      en: (
        "Unusable Data", "None of the data from the city can be used, so the old data was kept."
      ),
      zh: ("資料無法使用", "市府提供的資料都無法使用，因此保留原有資料。"),
      ko: ("사용할 수 없는 데이터", "시청의 데이터를 사용할 수 없어 기존 데이터를 유지했습니다.")),
    .init(
      .civicRowExists, in: .caller, .reload,
      en: ("Already Exists", "There is already an entry with this key."),
      zh: ("資料重複", "已經有相同鍵值的資料。"),
      ko: ("이미 있는 항목", "같은 키를 가진 항목이 이미 있습니다.")),
    .init(
      .noCivicService, in: .caller, .report,
      en: ("No Server", "The app has no server for this directory."),
      zh: ("沒有伺服器", "App 未設定這份名錄的伺服器。"),
      ko: ("서버 없음", "앱에 이 디렉터리의 서버가 설정되어 있지 않습니다.")),
    .init(
      .emptyCityFeed, in: .source, .later,
      en: ("No News", "The city's feed is empty, so the previous items were kept."),
      zh: ("沒有最新消息", "市府的消息來源沒有內容，因此保留原有消息。"),
      ko: ("소식 없음", "시청 피드가 비어 있어 기존 소식을 유지했습니다.")),
    .init(
      .unknownActivity, in: .caller, .reload,
      en: ("Activity Not Found", "This activity doesn't exist, or is no longer listed."),
      zh: ("找不到活動", "這項活動不存在，或已經下架。"),
      ko: ("행사를 찾을 수 없음", "존재하지 않거나 더 이상 게시되지 않는 행사입니다.")),
    .init(
      .notADatabase, in: .caller, .file,
      en: ("Not a Database", "The file isn't a database of the old app, or is encrypted."),
      zh: ("不是資料庫", "這個檔案不是舊版 App 的資料庫，或是已經加密。"),
      ko: ("데이터베이스가 아님", "이전 앱의 데이터베이스가 아니거나 암호화된 파일입니다.")),
    .init(
      .damagedDatabase, in: .device, .file,
      en: ("Damaged Database", "The old app's database is damaged."),
      zh: ("資料庫已損壞", "舊版 App 的資料庫已損壞。"),
      ko: ("손상된 데이터베이스", "이전 앱의 데이터베이스가 손상되었습니다.")),
    .init(
      .newerDatabase, in: .device, .update,
      en: ("Update Required", "The database was written by a newer version of the old app."),
      zh: ("需要更新", "這個資料庫是由較新版本的舊 App 寫入的。"),
      ko: ("업데이트 필요", "이전 앱의 더 새로운 버전에서 저장한 데이터베이스입니다.")),
  ])
}
