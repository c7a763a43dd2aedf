package import FieldCore

/// Guidance for the module's error codes.
package enum PortalGuidance {
  package static let table = GuidanceRow.table([
    .init(
      .datasetRetired, in: .source, .report,
      en: ("Dataset Retired", "The portal no longer publishes this dataset at its known address."),
      zh: ("資料集已下架", "資料平台已不在原本的位置提供這份資料集。"),
      ko: ("제공이 종료된 데이터", "포털의 기존 위치에서 더 이상 이 데이터를 제공하지 않습니다.")),
    .init(
      .datasetIncomplete, in: .source, .later,
      en: ("Incomplete Data", "The data changed at the portal while it was being downloaded."),
      zh: ("資料不完整", "下載期間，資料平台上的資料有所變動。"),
      ko: ("불완전한 데이터", "다운로드하는 동안 포털의 데이터가 변경되었습니다.")),
    .init(
      .sodaQuery, in: .caller, .report,
      en: ("Query Rejected", "The portal doesn't accept the app's query."),
      zh: ("查詢遭拒", "資料平台不接受 App 的查詢。"),
      ko: ("쿼리가 거부됨", "포털에서 앱의 쿼리를 거부했습니다.")),
    .init(
      .sodaDenied, in: .source, .report,
      en: ("Access Denied", "The portal doesn't allow access to this dataset."),
      zh: ("沒有存取權限", "資料平台不允許存取這份資料集。"),
      ko: ("접근이 거부됨", "포털에서 이 데이터에 대한 접근을 허용하지 않습니다.")),
    .init(
      .sodaStale, in: .source, .later,
      en: ("Portal Not Up to Date", "The portal is still processing recent changes."),
      zh: ("資料平台資料尚未更新", "資料平台仍在處理最近的變動。"),
      ko: ("최신 상태가 아닌 포털", "포털에서 최근 변경 사항을 아직 처리하고 있습니다.")),
    .init(
      .sodaPending, in: .source, .later,
      en: ("Still Processing", "The portal needs more time for this query."),
      zh: ("仍在處理中", "資料平台需要更多時間處理這項查詢。"),
      ko: ("처리 중", "포털에서 쿼리를 처리하는 데 시간이 더 필요합니다.")),
    .init(
      .sodaNoSystemFields, in: .source, .report,
      en: ("Dataset Not Supported", "The dataset lacks the fields that the app needs for updates."),
      zh: ("不支援的資料集", "這份資料集缺少 App 更新所需的欄位。"),
      ko: ("지원되지 않는 데이터", "앱에서 업데이트하는 데 필요한 필드가 없는 데이터입니다.")),
    .init(
      .portalDenied, in: .source, .report,
      en: ("Access Denied", "The portal doesn't allow access to this dataset."),
      zh: ("沒有存取權限", "資料平台不允許存取這份資料集。"),
      ko: ("접근이 거부됨", "포털에서 이 데이터에 대한 접근을 허용하지 않습니다.")),
    .init(
      .portalQuery, in: .caller, .report,
      en: ("Query Rejected", "The portal doesn't accept the app's query."),
      zh: ("查詢遭拒", "資料平台不接受 App 的查詢。"),
      ko: ("쿼리가 거부됨", "포털에서 앱의 쿼리를 거부했습니다.")),
    .init(
      .portalUnsupported, in: .source, .report,
      en: ("Dataset Not Supported", "The portal doesn't publish this dataset as rows."),
      zh: ("不支援的資料集", "資料平台並未以資料列的形式提供這份資料集。"),
      ko: ("지원되지 않는 데이터", "포털에서 이 데이터를 행 형식으로 제공하지 않습니다.")),
  ])
}
