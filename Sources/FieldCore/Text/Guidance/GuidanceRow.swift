/// A row of a table of guidance: codes that mean the same to a user.
package struct GuidanceRow: Sendable {
  /// A title, and a sentence that says what happened.
  package typealias Words = (title: String, reason: String)

  private let codes: [FieldError.Code]
  private let group: FieldError.Group
  private let advice: GuidanceAdvice
  private let english: Words, chinese: Words, korean: Words

  /// Creates a row.
  package init(
    _ codes: FieldError.Code..., in group: FieldError.Group, _ advice: GuidanceAdvice,
    en english: Words, zh chinese: Words, ko korean: Words
  ) {
    (self.codes, self.group, self.advice) = (codes, group, advice)
    (self.english, self.chinese, self.korean) = (english, chinese, korean)
  }

  /// Returns the guidance for the codes of all rows.
  package static func table(_ rows: [Self]) -> [FieldError.Code: FieldError.Guidance] {
    var table: [FieldError.Code: FieldError.Guidance] = [:]
    for row in rows { for code in row.codes { table[code] = row.guidance(for: code) } }
    return table
  }

  func guidance(for code: FieldError.Code) -> FieldError.Guidance {
    FieldError.Guidance(
      for: code, group: group, isRetryable: advice.isRetryable,
      title: Self.templates(english.title, chinese.title, korean.title),
      reason: Self.templates(english.reason, chinese.reason, korean.reason),
      advice: Self.templates(advice.english, advice.chinese, advice.korean))
  }

  private static func templates(
    _ english: String, _ chinese: String, _ korean: String
  ) -> [TextLanguage: FieldText.Template] {
    [
      .english: .init(other: english), .traditionalChinese: .init(other: chinese),
      .korean: .init(other: korean),
    ]
  }
}

/// A sentence that says what to do about an error. It is shared by many codes, and decides whether
/// they are retryable.
package struct GuidanceAdvice: Sendable {
  let english: String, chinese: String, korean: String
  let isRetryable: Bool

  /// Creates advice, which by default doesn't make a code retryable.
  package init(_ english: String, _ chinese: String, _ korean: String, isRetryable: Bool = false) {
    (self.english, self.chinese, self.korean) = (english, chinese, korean)
    self.isRetryable = isRetryable
  }

  // MARK: Advice that makes a code retryable

  /// To try again.
  package static let again = Self(
    "Try again.", "請再試一次。", "다시 시도해 주세요.", isRetryable: true)
  /// To try again later.
  package static let later = Self(
    "Try again later.", "請稍後再試。", "잠시 후 다시 시도해 주세요.", isRetryable: true)
  /// To check the connection.
  package static let connection = Self(
    "Check your internet connection, then try again.", "請檢查網路連線，然後再試一次。",
    "인터넷 연결을 확인한 다음 다시 시도해 주세요.", isRetryable: true)
  /// To unlock the device.
  package static let unlock = Self(
    "Unlock the device, then try again.", "請先解鎖裝置，然後再試一次。",
    "기기의 잠금을 해제한 다음 다시 시도해 주세요.", isRetryable: true)

  // MARK: Advice that asks for a change first

  /// To correct the input.
  package static let input = Self(
    "Check your input, then try again.", "請檢查輸入的內容，然後再試一次。",
    "입력한 내용을 확인한 다음 다시 시도해 주세요.")
  /// To look again at what there is.
  package static let reload = Self(
    "Reload the list, then choose again.", "請重新載入清單，然後再選一次。",
    "목록을 새로 고친 다음 다시 선택해 주세요.")
  /// To choose another file.
  package static let file = Self(
    "Choose another file.", "請選擇其他檔案。", "다른 파일을 선택해 주세요.")
  /// To check whether a change was made.
  package static let check = Self(
    "Check whether the change was made before you send it again.",
    "重新傳送之前，請先確認變更是否已經生效。", "다시 보내기 전에 변경 사항이 적용되었는지 확인해 주세요.")
  /// To make room.
  package static let space = Self(
    "Free up storage on the device, then try again.", "請清出裝置的儲存空間，然後再試一次。",
    "기기의 저장 공간을 확보한 다음 다시 시도해 주세요.")
  /// To sign in again.
  package static let signIn = Self("Sign in again.", "請重新登入。", "다시 로그인해 주세요.")
  /// To start the app again.
  package static let restart = Self(
    "Quit the app and open it again. If that doesn't help, contact the app's developer.",
    "請關閉 App 後重新開啟；若問題仍未解決，請聯絡開發者。",
    "앱을 종료했다가 다시 열어 주세요. 문제가 계속되면 개발자에게 문의해 주세요.")
  /// To update the app.
  package static let update = Self(
    "Update the app to the latest version.", "請將 App 更新至最新版本。",
    "앱을 최신 버전으로 업데이트해 주세요.")
  /// To update the app, or to report the error.
  package static let report = Self(
    "Update the app. If the problem persists, contact the app's developer.",
    "請更新 App；若問題持續發生，請聯絡開發者。",
    "앱을 업데이트해 주세요. 문제가 계속되면 개발자에게 문의해 주세요.")
}
