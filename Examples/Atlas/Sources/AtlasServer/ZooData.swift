import FieldFakes
import FieldKit
import Foundation

/// The rows of the zoo's portal, in the form of 2026, and a drawn picture of each animal.
enum ZooData {
  private struct Row {
    let picture: String
    let name: String
    let english: String
    let latin: String
    let alsoKnown: String
    let area: String
    let animalClass: String
    let conservation: String
    let latitude: Double
    let longitude: Double

    init(
      _ picture: String, _ name: String, _ english: String, _ latin: String, _ alsoKnown: String,
      _ area: String, _ animalClass: String, _ conservation: String, _ latitude: Double,
      _ longitude: Double
    ) {
      self.picture = picture
      self.name = name
      self.english = english
      self.latin = latin
      self.alsoKnown = alsoKnown
      self.area = area
      self.animalClass = animalClass
      self.conservation = conservation
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  private static let mammal = "哺乳綱"
  private static let bird = "鳥綱"
  private static let reptile = "爬蟲綱"

  private static let rows: [Row] = [
    Row(
      "panda", "大貓熊", "Giant Panda", "Ailuropoda melanoleuca",
      "貓熊、熊貓", "新光特展館（大貓熊館）", mammal, "易危 VU", 24.9971, 121.5832),
    Row(
      "koala", "無尾熊", "Koala", "Phascolarctos cinereus",
      "", "無尾熊館", mammal, "易危VU", 24.9982, 121.5824),
    Row(
      "bear", "臺灣黑熊", "Formosan Black Bear", "Ursus thibetanus formosanus",
      "月熊", "臺灣動物區", mammal, "(臺灣特有亞種)易危 VU", 24.9984, 121.5803),
    Row(
      "deer", "梅花鹿", "Formosan Sika Deer", "Cervus nippon taiouanus",
      "", "臺灣動物區", mammal, "(台灣特有亞種)其他應予保育之野生動物", 24.9979, 121.5798),
    Row(
      "otter", "歐亞水獺", "Eurasian Otter", "Lutra lutra",
      "", "臺灣動物區", mammal, "接近受威脅 NT", 24.9975, 121.5806),
    Row(
      "camel", "雙峰駱駝", "Bactrian Camel", "Camelus bactrianus",
      "", "沙漠動物區", mammal, "極危 CR", 24.9950, 121.5856),
    Row(
      "dromedary", "單峰駱駝", "Dromedary Camel或One-humped Camel", "Camelus dromedarius",
      "", "沙漠動物區", mammal, "未評估 NE", 24.9947, 121.5859),
    Row(
      "penguin", "國王企鵝", "King Penguin", "Aptenodytes patagonicus",
      "", "企鵝館", bird, "無危 LC", 24.9931, 121.5902),
    Row(
      "elephant", "亞洲象", "Asian Elephant", "Elephas maximus",
      "大象", "亞洲熱帶雨林動物區", mammal, "瀕危 EN", 24.9960, 121.5840),
    Row(
      "tiger", "孟加拉虎", "Bengal Tiger", "Panthera tigris tigris",
      "老虎", "亞洲熱帶雨林動物區", mammal, "瀕危(EN)", 24.9956, 121.5834),
    Row(
      "orangutan", "紅毛猩猩", "Bornean Orangutan", "Pongo pygmaeus",
      "人猿", "亞洲熱帶雨林動物區", mammal, "極危CR", 24.9962, 121.5829),
    Row(
      "lion", "非洲獅", "African Lion", "Panthera leo",
      "獅子", "非洲動物區", mammal, "易危 VU", 24.9940, 121.5880),
    Row(
      "giraffe", "長頸鹿", "Giraffe", "Giraffa camelopardalis",
      "麒麟鹿", "非洲動物區", mammal, "易危 VU", 24.9936, 121.5886),
    Row(
      "zebra", "查普曼斑馬", "Chapman's Zebra", "Equus quagga chapmani",
      "斑馬", "非洲動物區", mammal, "接近受威脅 NT", 24.9938, 121.5892),
    Row(
      "hippo", "河馬", "Hippopotamus", "Hippopotamus amphibius",
      "", "非洲動物區", mammal, "易危 VU", 24.9943, 121.5889),
    Row(
      "rhino", "白犀牛", "White Rhinoceros", "Ceratotherium simum",
      "", "非洲動物區", mammal, "接近受威脅 NT", 24.9946, 121.5895),
    Row(
      "gorilla", "西部低地大猩猩", "Western Lowland Gorilla", "Gorilla gorilla gorilla",
      "金剛猩猩", "非洲動物區", mammal, "極危 CR", 24.9949, 121.5883),
    Row(
      "flamingo", "大紅鶴", "American Flamingo", "Phoenicopterus ruber",
      "紅鶴、火鶴", "鳥園區", bird, "無危 LC", 24.9953, 121.5870),
    Row(
      "parrot", "金剛鸚鵡", "Blue-and-yellow Macaw", "Ara ararauna",
      "", "鳥園區", bird, "無危 LC", 24.9957, 121.5874),
    Row(
      "eagle", "大冠鷲", "Crested Serpent Eagle", "Spilornis cheela hoya",
      "蛇鷹", "臺灣動物區", bird, "(臺灣特有亞種)無危 LC", 24.9981, 121.5794),
    Row(
      "crocodile", "暹羅鱷", "Siamese Crocodile", "Crocodylus siamensis",
      "", "兩棲爬蟲動物館", reptile, "極危 CR", 24.9952, 121.5898),
    Row(
      "turtle", "蘇卡達象龜", "African Spurred Tortoise", "Centrochelys sulcata",
      "陸龜", "兩棲爬蟲動物館", reptile, "瀕危 EN", 24.9954, 121.5902),
    Row(
      "sloth", "二趾樹懶", "Linnaeus's Two-toed Sloth", "Choloepus didactylus",
      "", "穿山甲館", mammal, "無危 LC", 24.9966, 121.5845),
    Row(
      "squirrel", "大赤鼯鼠", "Formosan Giant Flying Squirrel", "Petaurista philippensis grandis",
      "飛鼠", "臺灣動物區", mammal, "無危 LC", 24.9986, 121.5799),
  ]

  private struct Area {
    let name: String
    let category: String
    let latitude: Double
    let longitude: Double
  }

  private static let areas: [Area] = [
    Area(name: "臺灣動物區", category: "戶外區", latitude: 24.9981, longitude: 121.5800),
    Area(name: "無尾熊館", category: "室內區", latitude: 24.9982, longitude: 121.5824),
    Area(name: "新光特展館（大貓熊館）", category: "特展區", latitude: 24.9971, longitude: 121.5832),
    Area(name: "亞洲熱帶雨林動物區", category: "戶外區", latitude: 24.9959, longitude: 121.5835),
    Area(name: "沙漠動物區", category: "戶外區", latitude: 24.9949, longitude: 121.5857),
    Area(name: "鳥園區", category: "戶外區", latitude: 24.9955, longitude: 121.5872),
    Area(name: "非洲動物區", category: "戶外區", latitude: 24.9942, longitude: 121.5888),
    Area(name: "兩棲爬蟲動物館", category: "室內區", latitude: 24.9953, longitude: 121.5900),
    Area(name: "企鵝館", category: "室內區", latitude: 24.9931, longitude: 121.5902),
    Area(name: "穿山甲館", category: "室內區", latitude: 24.9966, longitude: 121.5845),
  ]

  /// A portal with the animals, the areas, a plant, and the pictures in a folder.
  static func portal(pictures folder: URL) -> FakeTaipeiOpenData {
    var pictures: [String: FakeTaipeiOpenData.Picture] = [:]
    for row in rows {
      if let data = try? Data(contentsOf: folder.appending(path: "\(row.picture).jpg")) {
        pictures["/zoo/\(row.picture).jpg"] = .init(bytes: [UInt8](data))
      }
    }
    return FakeTaipeiOpenData(
      datasets: [
        .init(
          TaipeiDataset.zooAnimals.resources[0].rawValue,
          rows: rows.map { row in
            [
              "a_name_ch": row.name, "a_name_en": row.english, "a_name_latin": row.latin,
              "a_alsoknown": row.alsoKnown, "a_location": row.area,
              "a_longitude": "\(row.longitude)", "a_latitude": "\(row.latitude) ",
              "a_conservation": row.conservation, "a_class": row.animalClass,
              "a_pic01_url": "http://www.zoo.gov.tw/zoo/\(row.picture).jpg",
              "a_update": "2026/9/29",
            ]
          }, importedAt: Date(timeIntervalSince1970: 1_790_000_000)),
        .init(
          TaipeiDataset.zooAreas.resources[0].rawValue,
          rows: areas.enumerated().map { number, area in
            [
              "e_no": "\(number + 1)", "e_name": area.name, "e_category": area.category,
              "e_longitude": "\(area.longitude)", "e_latitude": "\(area.latitude)",
              "e_memo": number == 0 ? "每月第二個週一休館" : "",
            ]
          }),
        .init(TaipeiDataset.zooPlants.resources[0].rawValue, rows: [["F_Name_Ch": "九芎"]]),
      ], pictures: pictures)
  }
}
