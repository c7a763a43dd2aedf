public import FieldCore
internal import FieldFoundation

extension DataSource {
  /// The open data of Taipei Zoo on data.taipei.
  public static var taipeiZoo: DataSource {
    DataSource(
      name: "Taipei Zoo",
      chineseName: "臺北市立動物園",
      publisher: "臺北市立動物園; 臺北市資料大平臺 (data.taipei)",
      page: URL(
        literal: "https://data.taipei/dataset/detail?id=5cb73231-b741-48b3-bec3-2ef57bb10029"),
      license: "政府資料開放授權條款－第1版 (Open Government Data License, version 1.0)",
      attribution: "臺北市立動物園 / 臺北市資料大平臺 (data.taipei)")
  }
}
