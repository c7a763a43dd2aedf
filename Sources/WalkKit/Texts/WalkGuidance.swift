package import FieldCore

/// Guidance for the kit's error codes.
package enum WalkGuidance {
  package static let table = GuidanceRow.table([
    .init(
      .nameTaken, in: .caller,
      .init("Choose another name.", "請換一個名字。", "다른 이름을 입력해 주세요."),
      en: ("Name Taken", "Another pet already has this name."),
      zh: ("名字重複", "已經有同名的寵物。"),
      ko: ("이미 사용 중인 이름", "같은 이름의 반려동물이 이미 있습니다.")),
    .init(
      .unknownPet, .unknownWalk, .unknownPlace, in: .caller, .reload,
      en: ("Not Found", "This entry doesn't exist. It may have been deleted."),
      zh: ("找不到資料", "這筆資料不存在，可能已經刪除。"),
      ko: ("찾을 수 없음", "존재하지 않는 항목입니다. 이미 삭제되었을 수 있습니다.")),
    .init(
      .petArchived, in: .caller,
      .init("Restore the pet from the archive first.", "請先取消封存這隻寵物。", "먼저 반려동물의 보관을 해제해 주세요."),
      en: ("Pet Archived", "Archived pets can't go for a walk."),
      zh: ("寵物已封存", "已封存的寵物無法散步。"),
      ko: ("보관된 반려동물", "보관 중인 반려동물은 산책할 수 없습니다.")),
    .init(
      .blobMissing, in: .device, .reload,
      en: ("Photo or Route Missing", "The photo or route is no longer on the device."),
      zh: ("找不到照片或路線", "照片或路線已不在裝置上。"),
      ko: ("사진 또는 경로 없음", "사진이나 경로가 더 이상 기기에 없습니다.")),
    .init(
      .operationInProgress, in: .caller,
      .init("Wait until it finishes.", "請等待處理完成。", "완료될 때까지 기다려 주세요.", isRetryable: true),
      en: ("In Progress", "This operation is already in progress."),
      zh: ("處理中", "這項操作正在進行中。"),
      ko: ("처리 중", "이미 진행 중인 작업입니다.")),
    .init(
      .walkState, in: .caller,
      .init(
        "Check whether the walk is running, paused, or finished.",
        "請確認散步是進行中、已暫停還是已結束。",
        "산책이 진행 중인지, 일시 정지되었는지, 끝났는지 확인해 주세요."),
      en: ("Not Possible Now", "The walk's current state doesn't allow this."),
      zh: ("目前無法執行", "散步目前的狀態無法執行這項操作。"),
      ko: ("지금은 할 수 없음", "현재 산책 상태에서는 할 수 없는 작업입니다.")),
    .init(
      .petIsOut, in: .caller,
      .init("Finish that walk first.", "請先結束那次散步。", "먼저 그 산책을 종료해 주세요."),
      en: ("Already on a Walk", "One of the pets is already on another walk."),
      zh: ("正在散步", "其中一隻寵物正在另一次散步中。"),
      ko: ("이미 산책 중", "함께 가려는 반려동물 중 하나가 다른 산책 중입니다.")),
    .init(
      .walkIsTaken, in: .caller, .later,
      en: ("Walk in Use", "The walk is being recorded or saved elsewhere."),
      zh: ("散步使用中", "這次散步正在其他地方記錄或儲存。"),
      ko: ("사용 중인 산책", "다른 곳에서 기록하거나 저장하고 있는 산책입니다.")),
    .init(
      .serviceKeyRefused, in: .source, .report,
      en: (
        "Service Unavailable", "The weather or air quality service didn't accept the app's key."
      ),
      zh: ("服務無法使用", "天氣或空氣品質服務不接受 App 的金鑰。"),
      ko: ("서비스를 사용할 수 없음", "날씨 또는 대기질 서비스에서 앱의 키를 승인하지 않았습니다.")),
    .init(
      .conditionsRefused, in: .source, .later,
      en: ("Service Unavailable", "The weather or air quality service reported an error."),
      zh: ("服務無法使用", "天氣或空氣品質服務發生錯誤。"),
      ko: ("서비스를 사용할 수 없음", "날씨 또는 대기질 서비스에서 오류가 발생했습니다.")),
    .init(
      .noConditions, in: .source,
      .init("Choose another place.", "請選擇其他地點。", "다른 장소를 선택해 주세요."),
      en: ("No Weather Data", "The service has no data for this place."),
      zh: ("沒有天氣資料", "服務沒有這個地點的資料。"),
      ko: ("날씨 정보 없음", "이 장소의 날씨 또는 대기질 정보가 없습니다.")),
  ])
}
