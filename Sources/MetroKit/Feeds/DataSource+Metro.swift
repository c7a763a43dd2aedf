public import FieldCore
internal import FieldFoundation

extension DataSource {
  /// The metro's open feed of trains entering stations, through data.taipei.
  public static var metroArrivals: DataSource {
    DataSource(
      name: "Taipei Metro arrivals",
      chineseName: "臺北捷運列車到站站名",
      publisher: "臺北大眾捷運股份有限公司; 臺北市資料大平臺 (data.taipei)",
      page: URL(
        literal: "https://data.taipei/dataset/detail?id=6556e1e8-c908-42d5-b984-b3f7337b139b"),
      license: "政府資料開放授權條款－第1版 (Open Government Data License, version 1.0)",
      attribution: "臺北大眾捷運股份有限公司 / 臺北市資料大平臺 (data.taipei)")
  }

  /// The feed of the metro's own service, for members.
  public static var metroTrackInfo: DataSource {
    DataSource(
      name: "Taipei Metro train information",
      chineseName: "臺北捷運列車到站資訊",
      publisher: "臺北大眾捷運股份有限公司",
      page: URL(literal: "https://api.metro.taipei/metroapi/TrackInfo.asmx"),
      license: "As agreed on registering with the service.",
      attribution: "臺北大眾捷運股份有限公司")
  }

  /// The metro's data on TDX, the ministry's transport data service.
  public static var tdxMetro: DataSource {
    DataSource(
      name: "TDX Metro",
      chineseName: "交通部運輸資料流通服務平臺 捷運",
      publisher: "交通部; 臺北大眾捷運股份有限公司",
      page: URL(literal: "https://tdx.transportdata.tw"),
      license: "政府資料開放授權條款－第1版 (Open Government Data License, version 1.0)",
      attribution: "交通部TDX運輸資料流通服務平臺")
  }
}
