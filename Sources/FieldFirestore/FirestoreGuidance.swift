package import FieldCore

/// Guidance for the module's error codes.
package enum FirestoreGuidance {
  package static let table = GuidanceRow.table([
    .init(
      .firestoreInvalidArgument, .firestoreOutOfRange, .firestoreUnimplemented, in: .caller,
      .report,
      en: ("Request Rejected", "The server doesn't accept the app's request."),
      zh: ("要求遭拒", "伺服器不接受 App 的要求。"),
      ko: ("요청이 거부됨", "서버에서 앱의 요청을 받아들이지 않았습니다.")),
    .init(
      .firestoreNotFound, in: .source, .reload,
      en: ("Not Found", "The entry doesn't exist on the server."),
      zh: ("找不到資料", "伺服器上沒有這筆資料。"),
      ko: ("찾을 수 없음", "서버에 존재하지 않는 항목입니다.")),
    .init(
      .firestoreAlreadyExists, in: .source, .reload,
      en: ("Already Exists", "The entry already exists on the server."),
      zh: ("資料已存在", "伺服器上已經有這筆資料。"),
      ko: ("이미 있는 항목", "서버에 이미 존재하는 항목입니다.")),
    .init(
      .firestorePermissionDenied, in: .source,
      .init("Sign in with an account that has access.", "請以具有權限的帳號登入。", "권한이 있는 계정으로 로그인해 주세요."),
      en: ("Permission Denied", "This account isn't allowed to do this."),
      zh: ("沒有權限", "這個帳號沒有執行此操作的權限。"),
      ko: ("권한 없음", "이 계정에는 해당 작업을 할 권한이 없습니다.")),
    .init(
      .firestoreUnauthenticated, .tokenRefused, in: .source, .signIn,
      en: ("Signed Out", "Your sign-in has expired or is no longer valid."),
      zh: ("需要登入", "登入已過期或失效。"),
      ko: ("로그인 필요", "로그인이 만료되었거나 더 이상 유효하지 않습니다.")),
    .init(
      .firestoreFailedPrecondition, in: .source, .reload,
      en: ("Not Possible Now", "The data on the server isn't in the required state."),
      zh: ("目前無法執行", "伺服器上的資料不符合操作條件。"),
      ko: ("지금은 할 수 없음", "서버의 데이터가 필요한 상태가 아닙니다.")),
    .init(
      .firestoreResourceExhausted, in: .source, .later,
      en: ("Limit Reached", "The server's usage limit has been reached."),
      zh: ("已達使用上限", "已達到伺服器的使用上限。"),
      ko: ("한도 초과", "서버 사용 한도에 도달했습니다.")),
    .init(
      .firestoreAborted, in: .source, .again,
      en: ("Data Changed Meanwhile", "Someone else changed the same data at the same time."),
      zh: ("資料已變動", "同一份資料同時被其他人更動。"),
      ko: ("데이터가 변경됨", "다른 사용자가 동시에 같은 데이터를 변경했습니다.")),
    .init(
      .firestoreUnavailable, .firestoreInternal, .firestoreUnknown, .firestoreCancelled,
      in: .source, .later,
      en: ("Server Error", "The server is unavailable or has failed."),
      zh: ("伺服器錯誤", "伺服器無法使用或發生錯誤。"),
      ko: ("서버 오류", "서버를 사용할 수 없거나 오류가 발생했습니다.")),
    .init(
      .firestoreDeadlineExceeded, in: .source, .later,
      en: ("Request Timed Out", "The server didn't finish in time."),
      zh: ("處理逾時", "伺服器未在時限內完成處理。"),
      ko: ("시간 초과", "서버가 제시간에 처리를 마치지 못했습니다.")),
    .init(
      .firestoreDataLoss, in: .source, .report,
      en: ("Data Lost", "The server reports that data is lost or damaged."),
      zh: ("資料遺失", "伺服器回報資料遺失或損壞。"),
      ko: ("데이터 손실", "서버에서 데이터가 손실되거나 손상되었다고 응답했습니다.")),
    .init(
      .firestoreIncomplete, in: .source, .later,
      en: ("Incomplete Response", "The server's response lacks some of what was requested."),
      zh: ("回應不完整", "伺服器的回應缺少部分要求的內容。"),
      ko: ("불완전한 응답", "서버의 응답에 요청한 내용 일부가 없습니다.")),
    .init(
      .firestoreReceiptExpired, in: .source, .check,
      en: ("Outcome Unknown", "The change is too old to find out whether it was made."),
      zh: ("結果不明", "這項變更時間過久，已無法確認是否生效。"),
      ko: ("결과를 알 수 없음", "너무 오래되어 변경 사항이 적용되었는지 확인할 수 없습니다.")),
    .init(
      .storageChecksum, .storageChanged, in: .source, .again,
      en: ("File Changed", "The file changed or was damaged while it was being transferred."),
      zh: ("檔案已變動", "檔案在傳輸途中有所變動或損壞。"),
      ko: ("파일이 변경됨", "파일을 전송하는 동안 변경되거나 손상되었습니다.")),
    .init(
      .storageSessionEnded, in: .source, .again,
      en: ("Upload Interrupted", "The server ended the upload before it was complete."),
      zh: ("上傳中斷", "伺服器在上傳完成前結束了傳輸。"),
      ko: ("업로드 중단됨", "업로드가 완료되기 전에 서버에서 종료했습니다.")),
    .init(
      .storageForeignSession, in: .source, .report,
      en: (
        "Upload Refused", "The address of the upload is an unknown server, so nothing was sent."
      ),
      zh: ("已拒絕上傳", "上傳目的地是不明的伺服器，因此未傳送任何資料。"),
      ko: ("업로드 거부됨", "알 수 없는 서버로 업로드될 뻔하여 아무것도 보내지 않았습니다.")),
  ])
}
