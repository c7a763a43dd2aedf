public import FieldCore
internal import FieldFoundation

extension DataSource {
  /// NASA's table of meteorite landings.
  public static var meteoriteLandings: DataSource {
    DataSource(
      name: "Meteorite Landings",
      chineseName: "隕石墜落紀錄",
      publisher: "NASA Open Data Portal; The Meteoritical Society",
      page: URL(literal: "https://data.nasa.gov/dataset/meteorite-landings"),
      license: "U.S. Government work, public access level \"public\"; no license text is attached.",
      attribution: "Meteorite Landings: NASA / The Meteoritical Society")
  }
}
