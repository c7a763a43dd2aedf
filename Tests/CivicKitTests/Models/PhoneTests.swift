import CivicKit
import TestSupport
import Testing

@Suite("Telephone numbers of the source")
struct PhoneTests {
  @Test(
    "are split, completed, and have their extensions",
    arguments: [
      ("06-2991111#8492 / 06-6322231#5026", ["06-2991111#8492", "06-6322231#5026"]),
      ("3901001", ["06-3901001"]),
      ("062983150", ["06-2983150"]),
      ("06-2986672 轉 7620", ["06-2986672#7620"]),
      ("\t 06-2934179", ["06-2934179"]),
      ("(06)2982746", ["06-2982746"]),
      ("06-635-9943", ["06-6359943"]),
      ("06-\t6321731 / 06-6354986", ["06-6321731", "06-6354986"]),
      ("06-2982845、06-2982712", ["06-2982845", "06-2982712"]),
      ("06-6320310#111, 06-3901082", ["06-6320310#111", "06-3901082"]),
      ("06-2981610 / 2981722 / 2981800", ["06-2981610", "06-2981722", "06-2981800"]),
      ("０６－２９９１１１１＃８４９２", ["06-2991111#8492"]),
      ("06-2991111 分機 1570", ["06-2991111#1570"]),
      ("06-2991111 ext. 1570", ["06-2991111#1570"]),
      ("06-2991111#1012、1013", ["06-2991111#1012", "06-2991111#1013"]),
      ("06-29911111#1310", ["06-29911111#1310"]),
      ("+886 6 299 1111", ["06-2991111"]),
      ("886-6-2991111", ["06-2991111"]),
      ("886-922-123-456#2", ["0922-123456#2"]),
      ("06-2991111 (06)2982712#5", ["06-2991111", "06-2982712#5"]),
      ("06 299 1111", ["06-2991111"]),
      ("06-2991111或06-2982712", ["06-2991111", "06-2982712"]),
      ("06-2991111#8492及8493", ["06-2991111#8492", "06-2991111#8493"]),
      ("0919-483-999", ["0919-483999"]),
      ("0800-255-255", ["0800-255255"]),
      ("1999", ["1999"]),
      ("洽服務台", []),
      ("", []),
    ])
  func split(_ text: String, _ expected: [String]) {
    #expect(PhoneList(text).map(\.description) == expected)
  }

  @Test("take the area code of another city")
  func areaCode() {
    #expect(PhoneList("2345678", areaCode: "07").map(\.digits) == ["072345678"])
  }

  @Test("dial the extension after a pause, and keep the text that they were read from")
  func dialling() {
    let phones = PhoneList("06-2986672 轉 7620")
    #expect(phones[0].dialString == "062986672,7620")
    #expect(phones.rawText == "06-2986672 轉 7620")
    #expect(PhoneList([phones[0]]).rawText == "06-2986672#7620")
  }

  @Test("never trap, whatever stands there")
  func arbitrary() {
    let seed: UInt64 = 0x5EED
    var random = SeededGenerator(seed: seed)
    let signs = Array("06-#轉分機 /、,;x+()１～~ext8\n9臺\u{0301}")
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...24, using: &random)
      let text = String((0..<count).map { _ in signs.randomElement(using: &random) ?? "0" })
      for number in PhoneList(text) {
        #expect(
          number.digits.allSatisfy { "0123456789+".contains($0) }, "seed \(seed), text \(text)")
      }
    }
  }
}
