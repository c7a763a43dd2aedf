public import FieldCore

/// Guidance for the kit's error codes.
package enum MetroGuidance {
  /// The guidance for each code.
  package static let table = GuidanceRow.table([
    .init(
      .emptyFeed, in: .source, .later,
      en: ("No Arrivals", "The metro's feed is empty, so the last arrivals were kept."),
      zh: ("沒有到站資訊", "捷運目前沒有提供到站資訊，因此保留上次的資訊。"),
      ko: ("도착 정보 없음", "지하철 도착 정보가 비어 있어 마지막 정보를 유지했습니다.")),
    .init(
      .feedTooLarge, in: .source, .report,
      en: ("Too Much Data", "The metro's feed is larger than the app accepts."),
      zh: ("資料過大", "捷運的到站資訊超過 App 可接受的大小。"),
      ko: ("데이터가 너무 큼", "지하철 도착 정보가 앱에서 허용하는 크기를 초과합니다.")),
    .init(
      .feedRefused, in: .source, .later,
      en: ("Arrivals Unavailable", "The metro's service reported an error instead of arrivals."),
      zh: ("無法取得到站資訊", "捷運的服務傳回錯誤訊息，沒有提供到站資訊。"),
      ko: ("도착 정보를 가져올 수 없음", "지하철 서비스가 도착 정보 대신 오류를 보냈습니다.")),
    .init(
      .signInRefused, in: .source,
      .init(
        "Check the user name and password, or the client ID and secret.",
        "請檢查使用者名稱與密碼，或用戶端 ID 與金鑰。",
        "사용자 이름과 암호 또는 클라이언트 ID와 비밀 키를 확인해 주세요."),
      en: ("Sign-In Failed", "The metro's service didn't accept the credentials."),
      zh: ("登入失敗", "捷運的服務不接受這組登入資訊。"),
      ko: ("로그인 실패", "지하철 서비스에서 로그인 정보를 승인하지 않았습니다.")),
    .init(
      .unknownStation, in: .caller,
      .init(
        "Check the spelling, or choose a station from the list.",
        "請檢查站名，或從清單中選擇車站。",
        "역 이름을 확인하거나 목록에서 역을 선택해 주세요."),
      en: ("Station Not Found", "The network has no station with this name."),
      zh: ("找不到車站", "路網中沒有這個站名。"),
      ko: ("역을 찾을 수 없음", "노선도에 이 이름의 역이 없습니다.")),
    .init(
      .noRoute, in: .caller,
      .init("Choose other stations.", "請選擇其他車站。", "다른 역을 선택해 주세요."),
      en: ("No Route", "No trains connect these stations."),
      zh: ("沒有路線", "這兩站之間沒有列車可搭。"),
      ko: ("경로 없음", "두 역을 잇는 열차가 없습니다.")),
  ])
}

extension FieldError.Code {
  /// The metro's feed has no rows, although it has some even at night.
  public static var emptyFeed: Self { guided("metro.emptyFeed") }
  /// The feed has more rows than its reader's limit.
  public static var feedTooLarge: Self { guided("metro.feedTooLarge") }
  /// The feed's service responded with a SOAP fault, or with a sentence instead of rows.
  public static var feedRefused: Self { guided("metro.refused") }
  /// The service rejected the user name, the password, or the client's ID and secret.
  public static var signInRefused: Self { guided("metro.signInRefused") }
  /// The network has no station with that name; `problems` suggest similar spellings.
  public static var unknownStation: Self { guided("metro.unknownStation") }
  /// No train runs between the stations, according to the network's data.
  public static var noRoute: Self { guided("metro.noRoute") }

  private static func guided(_ rawValue: String) -> Self {
    Self(rawValue: rawValue) { MetroGuidance.table }
  }
}
