package import FieldCore

/// Guidance for the kit's error codes.
package enum ZooGuidance {
  /// The guidance for each code.
  package static let table = GuidanceRow.table([
    .init(
      .zooEmptyTable, in: .source, .later,
      en: (
        "No Data from the Zoo", "The zoo published an empty table, so the previous data was kept."
      ),
      zh: ("動物園沒有提供資料", "動物園公布的資料表是空的，因此保留原有資料。"),
      ko: ("동물원 데이터 없음", "동물원에서 빈 표를 공개하여 기존 데이터를 유지했습니다.")),
    .init(
      .zooUnknownTable, in: .source, .report,
      en: ("Unknown Table", "The file isn't the expected table of the zoo."),
      zh: ("資料表不符", "這個檔案不是預期的動物園資料表。"),
      ko: ("알 수 없는 표", "예상한 동물원 데이터 표가 아닙니다.")),
    .init(
      .zooNoSuchTable, in: .caller, .report,
      en: ("Table Not Available", "The app has no source for this table of the zoo."),
      zh: ("沒有這份資料表", "App 未設定這份動物園資料表的來源。"),
      ko: ("사용할 수 없는 표", "앱에 이 동물원 데이터 표의 제공처가 없습니다.")),
    .init(
      .sightingRefused, in: .caller, .input,
      en: ("Sighting Not Saved", "The name or the photo is missing or can't be used."),
      zh: ("無法儲存目擊紀錄", "缺少名稱或照片，或是內容無法使用。"),
      ko: ("목격 기록이 저장되지 않음", "이름이나 사진이 없거나 사용할 수 없습니다.")),
    .init(
      .sightingNotFound, in: .caller, .reload,
      en: ("Sighting Not Found", "The sighting no longer exists."),
      zh: ("找不到目擊紀錄", "這筆目擊紀錄已經不存在。"),
      ko: ("목격 기록을 찾을 수 없음", "목격 기록이 더 이상 존재하지 않습니다.")),
    .init(
      .sightingDamaged, in: .device,
      .init(
        "Edit the sighting and add its name and photo again, or delete it.",
        "請編輯這筆紀錄，重新填入名稱並加入照片，或將它刪除。",
        "기록을 편집하여 이름과 사진을 다시 추가하거나 삭제해 주세요."),
      en: ("Sighting Damaged", "Part of the sighting is lost or damaged."),
      zh: ("目擊紀錄已損壞", "這筆目擊紀錄有部分內容遺失或損壞。"),
      ko: ("손상된 목격 기록", "목격 기록의 일부가 없어졌거나 손상되었습니다.")),
    .init(
      .pictureMissing, in: .source,
      .init("Choose another picture.", "請選擇其他圖片。", "다른 사진을 선택해 주세요."),
      en: ("No Picture", "The zoo provides no such picture of this animal."),
      zh: ("沒有圖片", "動物園沒有提供這種動物的這張圖片。"),
      ko: ("사진 없음", "동물원에서 이 동물의 해당 사진을 제공하지 않습니다.")),
  ])
}
