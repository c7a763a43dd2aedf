internal import FieldCore
public import FieldFoundation

/// A dataset of data.taipei, with the current and former IDs of its data.
///
/// From time to time, the portal assigns a new ID to a dataset's data, and the old one returns
/// nothing. A dataset therefore has several IDs, and ``TaipeiOpenData`` tries them in turn. The IDs
/// here are those of 2026. You can add newer ones:
///
/// ```swift
/// var animals = TaipeiDataset.zooAnimals
/// animals.resources.insert("00000000-1111-2222-3333-444444444444", at: 0)
/// ```
public struct TaipeiDataset: Sendable, Hashable, Identifiable, Codable, CustomStringConvertible {
  /// The ID of the dataset's page, which outlives the IDs of its data.
  public var id: String
  /// The name on that page, in Chinese.
  public var name: String
  /// The IDs of the data (`rid`), newest first.
  public var resources: [Resource]

  /// Creates a dataset.
  public init(id: String, name: String, resources: [Resource]) {
    self.id = id
    self.name = name
    self.resources = resources
  }

  /// The ID of a dataset's data, which data.taipei calls `rid`.
  public struct Resource: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The text of the ID.
    public var rawValue: String
    /// Creates an ID from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text of the ID.
    public var description: String { rawValue }
  }

  /// The name.
  public var description: String { name.printable }
}

extension TaipeiDataset.Resource: ExpressibleByStringLiteral {
  /// Creates an ID from its text.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension TaipeiDataset {
  /// The animals of Taipei Zoo (動物園 動物資料).
  public static var zooAnimals: TaipeiDataset {
    TaipeiDataset(
      id: "5cb73231-b741-48b3-bec3-2ef57bb10029", name: "臺北市立動物園_動物資料",
      resources: ["6afa114d-38a2-4e3c-9cfd-29d3bd26b65b", "a3e2b221-75e0-45c1-8f97-75acbd43d613"])
  }

  /// The areas of Taipei Zoo (動物園 館區簡介).
  public static var zooAreas: TaipeiDataset {
    TaipeiDataset(
      id: "1ed45a8a-d26a-4a5f-b544-788a4071eea2", name: "臺北市立動物園_館區簡介",
      resources: ["9683ba26-109e-4cb8-8f3d-03d1b349db9f", "5a0e5fbb-72f8-41c6-908e-2fb25eff9b8a"])
  }

  /// The plants of Taipei Zoo (動物園 植物資料).
  public static var zooPlants: TaipeiDataset {
    TaipeiDataset(
      id: "48c4d6a7-4b09-4d1f-9739-ee837d302bd1", name: "臺北市立動物園_植物資料",
      resources: ["e20706d8-bf89-4e6a-9768-db2a10bb2ba4", "f18de02f-b6c9-47c0-8cda-50efad621c14"])
  }

  /// The services of Taipei Zoo, such as shops and toilets (動物園 服務設施).
  public static var zooServices: TaipeiDataset {
    TaipeiDataset(
      id: "26de6b22-10bf-4415-b87b-8348c2303570", name: "臺北市立動物園_服務設施",
      resources: ["8dbb1aeb-4035-4908-aa3d-090952b70377"])
  }

  /// The metro's trains that are entering stations (列車到站站名): retired, because the data is in a
  /// plain file elsewhere today.
  public static var metroArrivals: TaipeiDataset {
    TaipeiDataset(
      id: "6556e1e8-c908-42d5-b984-b3f7337b139b", name: "臺北捷運列車到站站名",
      resources: ["55ec6d6e-dc5c-4268-a725-d04cc262172b"])
  }

  /// The exits of the metro's stations, with their coordinates (車站出入口座標).
  public static var metroExits: TaipeiDataset {
    TaipeiDataset(
      id: "cfa4778c-62c1-497b-b704-756231de348b", name: "臺北捷運車站出入口座標",
      resources: ["307a7f61-e302-4108-a817-877ccbfca7c1"])
  }

  /// The stations of the metro, with their addresses (車站資料).
  public static var metroStations: TaipeiDataset {
    TaipeiDataset(
      id: "1eefa68d-7c8d-491b-8e75-66a161947426", name: "臺北捷運車站資料",
      resources: ["c77e91bf-067c-475e-917b-545ff62b7d76"])
  }

  /// The URL of the page that describes the dataset, for attribution.
  public var page: URL? {
    URL(string: "https://data.taipei/dataset/detail?id=\(PercentEncoding.component(id))")
  }
}
