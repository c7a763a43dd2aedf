import FieldCore
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("A station's name")
struct NameTests {
  let taipei = MetroNetwork.taipei

  @Test(
    "a station's name identifies the station in any spelling",
    arguments: [
      ("台北車站", "台北車站"), ("臺北車站", "台北車站"), ("台北車站站", "台北車站"),
      ("台北", nil), ("台北車", nil), (" 台北車站\u{3000}", "台北車站"), ("捷運台北車站", "台北車站"),
      ("淡水", "淡水"), ("淡水站", "淡水"), ("淡水站站", nil), ("捷運淡水站", "淡水"),
      ("Taipei Main Station", "台北車站"), ("TaipeiMainStation", "台北車站"),
      ("taipei main", "台北車站"), ("TAIPEI  MAIN STATION", "台北車站"), ("DAAN", "大安"),
      ("Da'an", "大安"), ("Daan Park", "大安森林公園"), ("Shilin Station", "士林"),
      ("Exhibition Center", "南港展覽館"), ("St. Ignatius High School", "徐匯中學"),
      ("St.lgnatius High School", "徐匯中學"), ("Minquan W. Rd.", "民權西路"),
      ("minquan w rd", "民權西路"), ("Sun Yat-sen Memorial Hall", "國父紀念館"),
      ("R10", "台北車站"), ("bl12", "台北車站"), ("ＢＬ１２", "台北車站"), ("TRTC-BL12", "台北車站"),
      ("NTMCC-Y16", "板橋"), ("BL1", "頂埔"), ("R22A", "新北投"), ("g3a", "小碧潭"), ("R1", nil),
      ("BL99", nil), ("港漧", "港墘"), ("港漧站", "港墘"), ("松山機楊", "松山機場"),
      ("台北101/世貿", "台北101/世貿"), ("台北101世貿站", "台北101/世貿"), ("台北101", "台北101/世貿"),
      ("台北駅", "台北車站"), ("타이베이 역", "台北車站"), ("新埔民生", "新埔民生"), ("新埔", "新埔"),
      ("", nil), ("站", nil), ("  ", nil), ("捷運", nil), ("捷運站", nil), ("Station", nil),
      ("/", nil), ("士林捷運站", "士林"), ("捷運站士林", "士林"), ("捷運士林", "士林"), ("台北捷運士林站", "士林"),
      ("臺北捷運 士林", "士林"), ("士林站（捷運）", "士林"), ("士林車站", "士林"), ("士林捷運車站", "士林"),
      ("台北車站捷運站", "台北車站"), ("捷運台北車站站", "台北車站"), ("MRT Shilin Station", "士林"),
      ("Shilin MRT", "士林"), ("Shilin MRT Station", "士林"), ("Shilin Metro Station", "士林"),
      ("ＭＲＴ士林站", "士林"), ("Taipei Metro Shilin", "士林"), ("MRT Taipei Main Station", "台北車站"),
      ("士林駅", "士林"), ("R10捷運站", "台北車站"), ("MRT", nil), ("MRT Station", nil), ("車站", nil),
      ("捷運車站", nil), ("Metro MRT", nil), ("捷運淡水信義線士林站", "士林"), ("板南線市政府站", "市政府"),
      ("環狀線", nil), ("捷運板南線", nil), ("板南線站", nil),
    ] as [(String, String?)])
  func spellings(text: String, name: String?) {
    #expect(taipei.station(named: text)?.name == name)
    #expect(taipei.station(named: Substring(text))?.name == name)
  }

  @Test(
    "a station's name is found beside a line or code, and with mistaken characters",
    arguments: [
      ("BL板橋", "板橋"), ("Y板橋", "板橋"), ("G大坪林", "大坪林"), ("Ｙ大坪林站", "大坪林"),
      ("O景安", "景安"), ("O頭前庄", "頭前庄"), ("R台北車站", "台北車站"), ("BR忠孝復興", "忠孝復興"),
      ("板橋(環狀線)", "板橋"), ("板橋（板南線）", "板橋"), ("板橋站(環狀線)", "板橋"),
      ("台北車站(淡水信義線)", "台北車站"), ("台北車站（板南線/淡水信義線）", "台北車站"), ("臺北車站 (R)", "台北車站"),
      ("捷運板橋站(環狀線)", "板橋"), ("板橋（環狀）", "板橋"), ("士林(淡水線)", "士林"), ("[Y] 板橋", "板橋"),
      ("R10台北車站", "台北車站"), ("台北車站(R10)", "台北車站"), ("BL07 板橋", "板橋"), ("r10/bl12 台北車站", nil),
      ("Banqiao (Circular Line)", "板橋"), ("Y Banqiao", "板橋"), ("新埔(板南線)", "新埔"),
      ("Y新埔", "新埔民生"), ("新埔(環狀線)", "新埔民生"), ("新埔民生(環狀線)", "新埔民生"),
      ("幸褔", "幸福"), ("Y幸褔", "幸福"), ("頭前莊", "頭前庄"), ("新庄", "新莊"), ("O新庄站", "新莊"),
      ("徐滙中學", "徐匯中學"), ("回龍", "迴龍"), ("葫州", "葫洲"), ("行天宫", "行天宮"), ("奇巖", "奇岩"),
      ("R板橋", nil), ("淡水(板南線)", nil), ("BL12板橋", nil), ("板橋(機場線)", nil), ("Y", nil),
      ("BL", nil), ("(環狀線)", nil), ("全福", nil), ("板", nil), ("BL板", nil), ("X板橋", nil),
    ] as [(String, String?)])
  func lines(text: String, name: String?) {
    #expect(taipei.station(named: text)?.name == name)
  }

  @Test("a station's name is found beside each of its lines and codes, and beside no other line")
  func everyLine() {
    for station in taipei.stations {
      for line in taipei.lines {
        let isOnLine = station.stops.contains { $0.line == line.id }
        for text in [
          "\(line.id)\(station.name)", "\(station.name)(\(line.name))",
          "\(station.name)站（\(line.name)）", "\(station.englishName) (\(line.englishName))",
        ] {
          let found = taipei.station(named: text)
          if isOnLine {
            #expect(found == station, "\(text)")
          } else {
            #expect(found != station, "\(text)")
            #expect(found?.stops.contains { $0.line == line.id } != false, "\(text)")
          }
        }
      }
      for code in station.codes {
        #expect(taipei.station(named: "\(code)\(station.name)") == station)
        #expect(taipei.station(named: "\(station.name)(\(code))") == station)
      }
    }
  }

  @Test("a station's name is unlike all others in both languages, with 站 and without, as are codes")
  func unambiguous() {
    for station in taipei.stations {
      for text in [
        station.name, station.name + "站", station.englishName, "\(station.id)",
        station.name + "捷運站", station.name + "捷運", "捷運" + station.name + "站",
        "捷運站" + station.name, "MRT " + station.englishName, station.englishName + " MRT",
        station.englishName + " MRT Station", "Metro \(station.englishName) Station",
      ] {
        #expect(taipei.station(named: text) == station, "\(text)")
      }
      for code in station.codes {
        #expect(taipei.station(named: code.rawValue) == station)
        #expect(taipei.station(code: code) == station)
      }
      #expect(taipei.station(station.id) == station)
    }
    #expect(taipei.station("臺北車站") == nil, "a key is not resolved")
  }

  @Test(
    "a station's name is known for all 394 names of the captures",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func captures() throws {
    struct Row: Decodable {
      let Station: String
      let Destination: String
    }
    let files = try FileManager.default.contentsOfDirectory(
      at: SharedData.url("metro"), includingPropertiesForKeys: nil
    ).filter { $0.lastPathComponent.hasPrefix("arrivals-") }
    #expect(files.count == 7)
    var names = 0
    for file in files {
      var data = try Data(contentsOf: file)
      if data.starts(with: [0xEF, 0xBB, 0xBF]) { data = data.dropFirst(3) }
      for row in try JSONDecoder().decode([Row].self, from: data) {
        for name in [row.Station, row.Destination] {
          let station = taipei.station(named: name)
          #expect(station != nil, "\(name) in \(file.lastPathComponent)")
          #expect(station?.name == name || station.map { $0.name + "站" } == name, "\(name)")
          names += 1
        }
      }
    }
    #expect(names == 394)
  }
}
