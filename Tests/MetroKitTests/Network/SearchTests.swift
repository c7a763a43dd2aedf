import FieldCore
import MetroKit
import TestSupport
import Testing

@Suite("A search for stations", .heavy)
struct SearchTests {
  let taipei = MetroNetwork.taipei

  @Test(
    "a search for stations returns the intended station first",
    arguments: [
      ("中山", ["中山", "中山國中", "中山國小"]), ("台北車站", ["台北車站"]),
      ("臺北", ["台北車站", "市政府", "台北小巨蛋", "台北橋", "台北101/世貿"]), ("R10", ["台北車站"]),
      ("淡水站", ["淡水"]), ("zoo", ["動物園"]), ("TAIPEI Z", ["動物園"]), ("101", ["台北101/世貿"]),
      ("hospital", ["亞東醫院", "萬芳醫院", "台大醫院"]), ("醫院", ["亞東醫院", "萬芳醫院", "台大醫院"]),
      ("士林捷運站", ["士林"]), ("捷運士", ["士林"]), ("MRT Shil", ["士林"]), ("中山捷運站", ["中山"]),
      ("", []), ("  ", []), ("?!", []), ("qqq", []), ("港漧", ["港墘"]),
      ("捷運", []), ("MRT", []),
    ])
  func ranks(text: String, names: [String]) {
    let found = taipei.stations(matching: text).map(\.name)
    if names.isEmpty {
      #expect(found.isEmpty)
    } else {
      #expect(Array(found.prefix(names.count)).sorted() == names.sorted(), "\(found)")
      #expect(found.first == names.first, "\(found)")
    }
  }

  @Test("a station is found by prefixes of its names, and first by the whole of them")
  func completing() {
    let some = taipei.stations.enumerated().filter { $0.offset % 6 == 0 }.map(\.element)
    for station in Sample.of(some, 4) {
      for name in [station.name, station.englishName, station.codes[0].rawValue] {
        for length in [1, 2, name.count - 1] where (1...name.count).contains(length) {
          let found = taipei.stations(matching: String(name.prefix(length)))
          #expect(found.contains(station), "\(name.prefix(length))")
        }
        #expect(taipei.stations(matching: name).first == station, "\(name)")
      }
    }
  }

  @Test(
    "a search for stations finds the whole of a name that is another name without its last word")
  func stationWord() throws {
    let network = try MetroNetwork(
      reading: NetworkSample.bytes(replacing: "|西|West", with: "|南|West"))
    #expect(network.stations(matching: "南站").map(\.name) == ["南站", "南"])
  }

  @Test(
    "a search for stations ranks name prefixes before word prefixes, and those before other parts")
  func order() {
    let nan = taipei.stations(matching: "nan").map(\.englishName)
    // The sixth begins so under the name that the feed has for it.
    #expect(
      Set(nan.prefix(6)) == [
        "Nangang", "Nanjing Fuxing", "Nangang Software Park", "Nanjing Sanmin", "Nanshijiao",
        "Taipei Nangang Exhibition Center",
      ])
    let word = nan.firstIndex { $0 == "Songjiang Nanjing" }
    let part = nan.firstIndex { $0 == "Xiaonanmen" }
    #expect(word != nil && part != nil)
    if let word, let part { #expect(word < part) }
  }
}
