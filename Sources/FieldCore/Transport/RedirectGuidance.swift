/// Guidance for the error codes of redirects.
package enum RedirectGuidance {
  package static let table = GuidanceRow.table([
    .init(
      .tooManyRedirects, .redirectRefused, in: .source, .report,
      en: (
        "Invalid Redirect", "The server redirects the request in a way that the app doesn't allow."
      ),
      zh: ("重新導向無效", "伺服器以 App 不允許的方式重新導向要求。"),
      ko: ("잘못된 리디렉션", "서버가 앱에서 허용하지 않는 방식으로 요청을 리디렉션했습니다."))
  ])
}
