public import FieldCore

/// The texts about a city hall that are meant for people, in Chinese and in English.
///
/// Each is a `FieldText`: a host shows it as it is, or replaces its wording by its key. The Chinese is that
/// of the old app.
public enum CivicTexts {
  /// 市府訊息, the news.
  public static var newsTitle: FieldText {
    text("civic.title.news", "City Hall Messages", "市府訊息")
  }
  /// 熱門活動, the hot activities.
  public static var activitiesTitle: FieldText {
    text("civic.title.activities", "Hot activities", "熱門活動")
  }
  /// 便民服務, the quick services.
  public static var quickServicesTitle: FieldText {
    text("civic.title.quickServices", "Services", "便民服務")
  }
  /// 局處導覽, the departments.
  public static var departmentsTitle: FieldText {
    text("civic.title.departments", "Department navigation", "局處導覽")
  }
  /// 市府設施, the facilities.
  public static var facilitiesTitle: FieldText {
    text("civic.title.facilities", "City Hall facilities", "市府設施")
  }
  /// 市府APP專區, the apps.
  public static var appsTitle: FieldText {
    text("civic.title.apps", "City Hall APPs", "市府APP專區")
  }
  /// 發布日期, before the date of an activity.
  public static var publishedLabel: FieldText {
    text("civic.activity.published", "Published", "發布日期")
  }
  /// 是否隱藏此活動訊息？, before an activity is hidden.
  public static var hideQuestion: FieldText {
    text("civic.activity.hide", "Hide this activity?", "是否隱藏此活動訊息？")
  }
  /// 位置, where a unit is on the plan.
  public static var positionAction: FieldText {
    text("civic.unit.position", "Location", "位置")
  }
  /// 導航, the way to a unit.
  public static var guideAction: FieldText {
    text("civic.unit.guide", "Directions", "導航")
  }

  /// The switch that shows hidden activities, or stops showing them.
  public static func hiddenSwitch(isShowing: Bool) -> FieldText {
    isShowing
      ? text("civic.activity.hidden.off", "Do not show hidden activities", "不顯示隱藏的活動訊息")
      : text("civic.activity.hidden.on", "Show hidden activities", "顯示隱藏的活動訊息")
  }

  /// The title of a kind of categories; nil for a kind that the old app did not have.
  public static func title(of kind: CategoryKind) -> FieldText? {
    switch kind {
    case .administrative: departmentsTitle
    case .quickService: quickServicesTitle
    case .facility: facilitiesTitle
    default: nil
    }
  }

  /// What to show while the directory is synchronised, and when that has failed; nil when it is done or
  /// was cancelled.
  public static func text(for status: CivicSyncStatus) -> FieldText? {
    switch status {
    case .started: text("civic.sync.started", "Downloading, please wait …", "資料中下載中，請稍候...")
    case .noNetwork: text("civic.sync.noNetwork", "Network error!", "網路連線錯誤！")
    case .serverFailure:
      text("civic.sync.server", "The city's server has failed; old data is shown.", "伺服器錯誤，顯示既有資料。")
    case .storeFailure:
      text("civic.sync.store", "The data cannot be stored on this device.", "無法將資料儲存到此裝置。")
    case .done, .cancelled: nil
    }
  }

  private static func text(_ key: String, _ english: String, _ chinese: String) -> FieldText {
    FieldText(
      key, templates: [.english: .init(other: english), .traditionalChinese: .init(other: chinese)])
  }
}
