extension FieldError.Guidance {
  /// The guidance for a code that no table contains. The group follows from the namespace.
  static func general(for code: FieldError.Code) -> Self {
    let group: FieldError.Group =
      switch code.rawValue.prefix(while: { $0 != "." }) {
      case "transport": .network
      case "store", "asset": .device
      case "input": .caller
      default: .source
      }
    return GuidanceRow(
      in: group, .report,
      en: ("Something Went Wrong", "The operation couldn't be completed."),
      zh: ("發生錯誤", "無法完成這項操作。"),
      ko: ("오류 발생", "작업을 완료할 수 없습니다.")
    ).guidance(for: code)
  }

  /// The guidance for the codes of `FieldCore`.
  package static let core = GuidanceRow.table(transport + rows + store + refresh)

  // MARK: Responses

  private static let transport: [GuidanceRow] = [
    .init(
      .offline, in: .network, .connection,
      en: ("No Connection", "The device is offline, or the server can't be reached."),
      zh: ("沒有網路連線", "裝置目前離線，或是無法連上伺服器。"),
      ko: ("연결 안 됨", "기기가 오프라인이거나 서버에 연결할 수 없습니다.")),
    .init(
      .timeout, in: .network, .connection,
      en: ("Request Timed Out", "The server didn't respond in time."),
      zh: ("連線逾時", "伺服器未在時限內回應。"),
      ko: ("시간 초과", "서버가 제시간에 응답하지 않았습니다.")),
    .init(
      .connectionLost, .bodyCut, in: .network, .connection,
      en: ("Connection Lost", "The connection was lost before all of the data arrived."),
      zh: ("連線中斷", "資料尚未傳完，連線就中斷了。"),
      ko: ("연결 끊김", "데이터를 모두 받기 전에 연결이 끊어졌습니다.")),
    .init(
      .transport, in: .network, .connection,
      en: ("Connection Failed", "The server couldn't be contacted."),
      zh: ("連線失敗", "無法與伺服器連線。"),
      ko: ("연결 실패", "서버와 통신할 수 없습니다.")),
    .init(
      .responseTooLarge, in: .source, .report,
      en: ("Too Much Data", "The server sent more data than the app accepts."),
      zh: ("資料過大", "伺服器傳來的資料超過 App 可接受的大小。"),
      ko: ("데이터가 너무 큼", "서버가 앱에서 허용하는 것보다 많은 데이터를 보냈습니다.")),
    .init(
      .status, in: .source, .later,
      en: ("Server Error", "The server couldn't process the request."),
      zh: ("伺服器錯誤", "伺服器無法處理這項要求。"),
      ko: ("서버 오류", "서버가 요청을 처리할 수 없습니다.")),
    .init(
      .notFound, in: .source, .report,
      en: ("Not Found", "The data is no longer at its address."),
      zh: ("找不到資料", "資料已經不在原本的網址。"),
      ko: ("찾을 수 없음", "데이터가 더 이상 해당 주소에 없습니다.")),
    .init(
      .tooManyRequests, in: .source, .later,
      en: ("Too Many Requests", "The server is limiting requests at the moment."),
      zh: ("要求過於頻繁", "伺服器目前限制要求次數。"),
      ko: ("요청이 너무 많음", "현재 서버에서 요청 횟수를 제한하고 있습니다.")),
  ]

  // MARK: Rows

  private static let rows: [GuidanceRow] = [
    .init(
      .notData, in: .source, .connection,
      en: (
        "Unexpected Response",
        "A web page or a message arrived instead of data. You may have to sign in."
      ),
      zh: ("收到的不是資料", "收到的是網頁或訊息，不是資料；可能需要先登入網路。"),
      ko: ("예상하지 못한 응답", "데이터 대신 웹페이지나 메시지를 받았습니다. 네트워크에 로그인해야 할 수 있습니다.")),
    .init(
      .emptyBody, in: .source, .later,
      en: ("No Data", "The source sent an empty response."),
      zh: ("沒有資料", "資料來源傳回空白的內容。"),
      ko: ("데이터 없음", "제공처에서 빈 응답을 보냈습니다.")),
    .init(
      .malformed, in: .source, .later,
      en: ("Unreadable Data", "The data contains errors and can't be read."),
      zh: ("資料無法讀取", "資料內容有誤，無法讀取。"),
      ko: ("읽을 수 없는 데이터", "데이터에 오류가 있어 읽을 수 없습니다.")),
    .init(
      .cut, in: .source, .later,
      en: ("Incomplete Data", "Only part of the data arrived."),
      zh: ("資料不完整", "只收到部分資料。"),
      ko: ("불완전한 데이터", "데이터의 일부만 받았습니다.")),
    .init(
      .encoding, .unknownFormat, in: .source, .report,
      en: ("Unsupported Format", "The data is in a format that the app can't read."),
      zh: ("不支援的格式", "App 無法讀取這種格式的資料。"),
      ko: ("지원되지 않는 형식", "앱에서 읽을 수 없는 형식의 데이터입니다.")),
    .init(
      .schema, in: .source, .report,
      en: ("Data Has Changed", "The source has changed the structure of its data."),
      zh: ("資料格式已變更", "資料來源變更了資料的結構。"),
      ko: ("데이터 구조 변경", "제공처에서 데이터 구조를 변경했습니다.")),
  ]

  // MARK: Files

  private static let store: [GuidanceRow] = [
    .init(
      .conflict, in: .device, .again,
      en: ("Data Changed Meanwhile", "The data was changed by something else at the same time."),
      zh: ("資料已變動", "資料同時被其他操作更動了。"),
      ko: ("데이터가 변경됨", "다른 작업에서 동시에 데이터를 변경했습니다.")),
    .init(
      .damaged, in: .device, .restart,
      en: ("Damaged Data", "Data stored on this device is damaged."),
      zh: ("資料已損壞", "儲存在裝置上的資料已損壞。"),
      ko: ("손상된 데이터", "기기에 저장된 데이터가 손상되었습니다.")),
    .init(
      .newerFormat, in: .device, .update,
      en: ("Update Required", "The data was written by a newer version of the app."),
      zh: ("需要更新", "這份資料是由較新版本的 App 寫入的。"),
      ko: ("업데이트 필요", "더 새로운 버전의 앱에서 저장한 데이터입니다.")),
    .init(
      .io, .needsReopening, in: .device, .restart,
      en: ("Storage Error", "The device couldn't read or write the data."),
      zh: ("儲存裝置錯誤", "裝置無法讀取或寫入資料。"),
      ko: ("저장 장치 오류", "기기에서 데이터를 읽거나 쓸 수 없습니다.")),
    .init(
      .diskFull, in: .device, .space,
      en: ("Storage Full", "There isn't enough storage left on the device."),
      zh: ("儲存空間不足", "裝置的儲存空間不足。"),
      ko: ("저장 공간 부족", "기기의 저장 공간이 부족합니다.")),
    .init(
      .notAFile, in: .device, .report,
      en: ("Not a File", "Something other than a file is where the data should be."),
      zh: ("不是檔案", "資料所在的位置不是檔案。"),
      ko: ("파일이 아님", "데이터가 있어야 할 위치에 파일이 아닌 것이 있습니다.")),
    .init(
      .locked, in: .device, .unlock,
      en: ("Device Locked", "The data can't be read or changed while the device is locked."),
      zh: ("裝置已鎖定", "裝置鎖定時，無法讀取或更改資料。"),
      ko: ("기기가 잠겨 있음", "기기가 잠겨 있는 동안에는 데이터를 읽거나 변경할 수 없습니다.")),
    .init(
      .remoteVolume, in: .device, .report,
      en: ("Unsupported Location", "The data is on a network volume or in iCloud."),
      zh: ("不支援的位置", "資料位於網路卷宗或 iCloud 中。"),
      ko: ("지원되지 않는 위치", "데이터가 네트워크 볼륨이나 iCloud에 있습니다.")),
    .init(
      .readOnly, in: .device, .report,
      en: ("Read-Only", "The data can't be changed here."),
      zh: ("唯讀資料", "這裡的資料無法更改。"),
      ko: ("읽기 전용", "여기서는 데이터를 변경할 수 없습니다.")),
    .init(
      .closed, in: .device, .restart,
      en: ("Data Unavailable", "The data has already been closed."),
      zh: ("資料無法使用", "資料已經關閉。"),
      ko: ("데이터를 사용할 수 없음", "데이터가 이미 닫혔습니다.")),
    .init(
      .busy, in: .device, .later,
      en: ("Data in Use", "Another app or process is using the data."),
      zh: ("資料使用中", "其他 App 或程序正在使用這份資料。"),
      ko: ("데이터 사용 중", "다른 앱이나 프로세스에서 데이터를 사용하고 있습니다.")),
    .init(
      .assetTooLarge, in: .source, .report,
      en: ("File Too Large", "The file is larger than the app accepts."),
      zh: ("檔案過大", "檔案超過 App 可接受的大小。"),
      ko: ("파일이 너무 큼", "파일이 앱에서 허용하는 크기를 초과합니다.")),
    .init(
      .assetFormat, in: .source, .report,
      en: ("Unsupported File", "The file isn't of the expected type."),
      zh: ("不支援的檔案", "檔案類型不符。"),
      ko: ("지원되지 않는 파일", "예상한 형식의 파일이 아닙니다.")),
    .init(
      .assetMissing, in: .device, .reload,
      en: ("File Missing", "The file no longer exists."),
      zh: ("找不到檔案", "檔案已經不存在。"),
      ko: ("파일 없음", "파일이 더 이상 존재하지 않습니다.")),
  ]

  // MARK: Refreshing, writing, and arguments

  private static let refresh: [GuidanceRow] = [
    .init(
      .snapshotRefused, in: .source, .later,
      en: ("Update Not Applied", "The new data looks incomplete, so the previous data was kept."),
      zh: ("未套用更新", "新資料看起來不完整，因此保留原有資料。"),
      ko: ("업데이트가 적용되지 않음", "새 데이터가 불완전해 보여 기존 데이터를 유지했습니다.")),
    .init(
      .noProgress, .unboundedPagination, .disordered, in: .source, .report,
      en: ("Update Not Applied", "The source's data is inconsistent, so the old data was kept."),
      zh: ("未套用更新", "資料來源傳回的內容前後不一致，因此保留原有資料。"),
      ko: ("업데이트가 적용되지 않음", "제공처의 데이터가 일관되지 않아 기존 데이터를 유지했습니다.")),
    .init(
      .notPending, in: .caller, .reload,
      en: ("Already Done", "The change is no longer waiting to be sent."),
      zh: ("已處理完畢", "這項變更已不在等候傳送之列。"),
      ko: ("이미 처리됨", "전송 대기 중인 변경 사항이 아닙니다.")),
    .init(
      .alreadySent, in: .caller, .reload,
      en: ("Already Sent", "The server may have received the change, so it can't be undone."),
      zh: ("已經送出", "變更可能已送達伺服器，無法再撤回。"),
      ko: ("이미 전송됨", "변경 사항이 서버에 전달되었을 수 있어 취소할 수 없습니다.")),
    .init(
      .outcomeUnknown, in: .source, .check,
      en: ("Outcome Unknown", "It isn't known whether the server has made the change."),
      zh: ("結果不明", "無法確認伺服器是否已完成變更。"),
      ko: ("결과를 알 수 없음", "서버에 변경 사항이 적용되었는지 알 수 없습니다.")),
    .init(
      .invalidInput, in: .caller, .input,
      en: ("Invalid Input", "Some of the input can't be used."),
      zh: ("輸入內容有誤", "部分輸入內容無法使用。"),
      ko: ("잘못된 입력", "입력한 내용 중 사용할 수 없는 것이 있습니다.")),
  ]
}
