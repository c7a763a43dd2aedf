public import FieldCore

/// Localized strings about a city hall, in Chinese and English.
///
/// Each is a `FieldText`, which you can display as it is or replace by its key. The Chinese texts
/// are those of the old app.
public enum CivicTexts {
  /// The title of the news: 市府訊息.
  public static var newsTitle: FieldText { text("civic.title.news", "City Hall Messages", "市府訊息") }
  /// The title of the hot activities: 熱門活動.
  public static var activitiesTitle: FieldText {
    text("civic.title.activities", "Hot activities", "熱門活動")
  }
  /// The title of the quick services: 便民服務.
  public static var quickServicesTitle: FieldText {
    text("civic.title.quickServices", "Services", "便民服務")
  }
  /// The title of the departments: 局處導覽.
  public static var departmentsTitle: FieldText {
    text("civic.title.departments", "Department navigation", "局處導覽")
  }
  /// The title of the facilities: 市府設施.
  public static var facilitiesTitle: FieldText {
    text("civic.title.facilities", "City Hall facilities", "市府設施")
  }
  /// The title of the apps: 市府APP專區.
  public static var appsTitle: FieldText { text("civic.title.apps", "City Hall APPs", "市府APP專區") }
  /// The label before the date of an activity: 發布日期.
  public static var publishedLabel: FieldText {
    text("civic.activity.published", "Published", "發布日期")
  }
  /// The question that is asked before an activity is hidden (是否隱藏此活動訊息？).
  public static var hideQuestion: FieldText {
    text("civic.activity.hide", "Hide this activity?", "是否隱藏此活動訊息？")
  }
  /// The action that shows where a unit is on the plan: 位置.
  public static var positionAction: FieldText { text("civic.unit.position", "Location", "位置") }
  /// The action that shows the way to a unit: 導航.
  public static var guideAction: FieldText { text("civic.unit.guide", "Directions", "導航") }

  /// Returns the label of the switch that shows or hides hidden activities.
  public static func hiddenSwitch(isShowing: Bool) -> FieldText {
    isShowing
      ? text("civic.activity.hidden.off", "Do not show hidden activities", "不顯示隱藏的活動訊息")
      : text("civic.activity.hidden.on", "Show hidden activities", "顯示隱藏的活動訊息")
  }

  /// Returns the title of a kind of category, or `nil` for a kind that the old app didn't have.
  public static func title(of kind: CategoryKind) -> FieldText? {
    switch kind {
    case .administrative: departmentsTitle
    case .quickService: quickServicesTitle
    case .facility: facilitiesTitle
    default: nil
    }
  }

  /// Returns the text to display for a step of a refresh, or `nil` if the refresh succeeded or was
  /// canceled.
  public static func text(for step: RefreshProgress) -> FieldText? {
    switch step.outcome {
    case nil: text("civic.sync.started", "Downloading, please wait …", "資料中下載中，請稍候...")
    case .failed(let error)?:
      switch error.code.guidance.group {
      case .network: text("civic.sync.noNetwork", "Network error!", "網路連線錯誤！")
      case .device:
        text("civic.sync.store", "The data cannot be stored on this device.", "無法將資料儲存到此裝置。")
      case .source, .caller:
        text(
          "civic.sync.server", "The city's server has failed; old data is shown.",
          "伺服器錯誤，顯示既有資料。")
      }
    case .finished?, .cancelled?: nil
    }
  }

  private static func text(
    _ key: String, _ english: FieldText.Template, _ chinese: FieldText.Template
  ) -> FieldText {
    FieldText(key, en: english, zh: chinese)
  }
}
