import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("A URL in the zoo's data")
struct ZooLinkTests {
  // 1.5-9 of Docs/old-apps.md
  @Test(
    "a URL of the zoo's data is made valid exactly once",
    arguments: [
      (
        "http://www.zoo.gov.tw/iTAP/Ateles fusciceps/Ateles fusciceps_Pic01.jpg",
        "http://www.zoo.gov.tw/iTAP/Ateles%20fusciceps/Ateles%20fusciceps_Pic01.jpg"
      ),
      (
        "http://www.zoo.gov.tw/BluePoisonDartFrog/BluePoisonDartFrog%20_Pic01.jpg",
        "http://www.zoo.gov.tw/BluePoisonDartFrog/BluePoisonDartFrog%20_Pic01.jpg"
      ),
      (
        "http://www.zoo.gov.tw/iTAP/04_Plant/Cyatheaceae/ lepifera/a%20b c.jpg",
        "http://www.zoo.gov.tw/iTAP/04_Plant/Cyatheaceae/%20lepifera/a%20b%20c.jpg"
      ),
      ("http://www.zoo.gov.tw//iTAP//a.jpg", "http://www.zoo.gov.tw//iTAP//a.jpg"),
      ("https://www.zoo.gov.taipei/貓熊.jpg", "https://www.zoo.gov.taipei/%E8%B2%93%E7%86%8A.jpg"),
      (" https://youtu.be/a?b=c ", "https://youtu.be/a?b=c"),
    ])
  func valid(text: String, url: String) throws {
    let link = try #require(ZooLink(text))
    #expect(link.url.absoluteString == url)
    #expect(link.rawText == text)
    #expect(ZooLink(url)?.url == link.url)
  }

  // 0.6 of Docs/old-apps.md
  @Test(
    "a URL of the zoo's data keeps its scheme by default, and https stays https",
    arguments: [
      ("http://www.zoo.gov.tw/a%20b.jpg", "https://www.zoo.gov.tw/a%20b.jpg"),
      ("HTTP://www.zoo.gov.tw/a.jpg", "https://www.zoo.gov.tw/a.jpg"),
      ("https://www.zoo.gov.tw/a.jpg", "https://www.zoo.gov.tw/a.jpg"),
      ("http://a.tw/?to=http://b.tw", "https://a.tw/?to=http://b.tw"),
    ])
  func upgrading(text: String, upgraded: String) throws {
    let link = try #require(ZooLink(text))
    #expect(link.url(upgradingToHTTPS: true).absoluteString == upgraded)
    #expect(link.url(upgradingToHTTPS: false) == link.url)
    #expect(link.url.absoluteString == text)
  }

  @Test(
    "a URL of the zoo's data has a secure form if its host supports https and it has no port",
    arguments: [
      ("http://www.zoo.gov.tw/a b.jpg", "https://www.zoo.gov.tw/a%20b.jpg"),
      ("HTTP://WWW.ZOO.GOV.TW/a.jpg", "https://WWW.ZOO.GOV.TW/a.jpg"),
      ("https://www.zoo.gov.tw/a.jpg", "https://www.zoo.gov.tw/a.jpg"),
      ("http://www.youtube.com/playlist?list=a", "https://www.youtube.com/playlist?list=a"),
      ("http://www.zoo.gov.tw:8080/a.jpg", "http://www.zoo.gov.tw:8080/a.jpg"),
      ("http://mediasys.taipei.gov.tw/a.mp3", "http://mediasys.taipei.gov.tw/a.mp3"),
      ("http://www.zoo.gov.tw.example/a.jpg", "http://www.zoo.gov.tw.example/a.jpg"),
      ("http://a.tw/?to=http://www.zoo.gov.tw/", "http://a.tw/?to=http://www.zoo.gov.tw/"),
    ])
  func secure(text: String, secure: String) throws {
    #expect(try #require(ZooLink(text)).secureURL.absoluteString == secure)
  }

  @Test(
    "every picture's URL in the zoo's rows has a secure form",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func securePictures() throws {
    let data = try Data(contentsOf: SharedData.url("zoo/animals-v1-2026-full.json"))
    let batch = try Batch<ZooRecord>(reading: [UInt8](data), as: .animals)
    let links = batch.animals.flatMap(\.pictures).compactMap(\.link)
    #expect(links.count > 900)
    #expect(links.count { $0.url.scheme == "http" } > 800)
    #expect(links.allSatisfy { $0.secureURL.scheme == "https" })
  }

  // 0.6 of Docs/old-apps.md
  @Test(
    "a URL of the zoo's data isn't parsed from invalid text",
    arguments: ["", "綠野雞", "鼠類、蛇、蛙、魚等脊椎動物", "www.zoo.gov.tw/a.jpg", "http://", "########"])
  func none(text: String) {
    #expect(ZooLink(text) == nil)
  }

  // 1.5-9 of Docs/old-apps.md
  @Test("a URL of the zoo's data stays valid and complete")
  func again() {
    let seed: UInt64 = 9
    var random = SeededGenerator(seed: seed)
    let signs = Array("abcZ09-._~/ %2?#&=:;@()[]'\"<>貓熊，\u{3000}")
    for _ in 0..<2_000 {
      let tail = String(
        (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
          signs.randomElement(using: &random)
        })
      guard let link = ZooLink("http://a.tw/\(tail)") else { continue }
      let text = link.url.absoluteString
      #expect(ZooLink(text)?.url == link.url, "seed \(seed): \(tail)")
      #expect(!text.contains(" "), "seed \(seed): \(tail)")
    }
  }

  @Test("a URL of the zoo's data is stored as its text, and rejects an invalid one")
  func coding() throws {
    let link = try #require(ZooLink("http://a.tw/b c"))
    let bytes = try JSONEncoder().encode([link])
    #expect(try JSONDecoder().decode([ZooLink].self, from: bytes) == [link])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ZooLink].self, from: Data(#"["綠野雞"]"#.utf8))
    }
  }
}
