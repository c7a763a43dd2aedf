import CivicKit
import Foundation
import TestSupport
import Testing

@Suite("Telephone numbers of the source")
struct PhoneTests {
  @Test(
    "are split and completed, and have their extensions",
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
      ("1999（外縣市請撥06-2991111）", ["1999", "06-2991111"]),
      ("119、110", ["119", "110"]),
      ("06-2991111（24小時）", ["06-2991111"]),
      ("06-2991111 (08:00-17:00)", ["06-2991111"]),
      ("06-2991111 0800-1700", ["06-2991111"]),
      ("110/01/02 起 06-2991111 3樓", ["06-2991111"]),
      ("06-2991111 or 06-2982712", ["06-2991111", "06-2982712"]),
      ("06-2991111＼06-2982712", ["06-2991111", "06-2982712"]),
      ("06-2991111・06-2982712", ["06-2991111", "06-2982712"]),
      ("王小姐06-2991111李先生06-2982712", ["06-2991111", "06-2982712"]),
      ("06-2991111 FAX:06-2982712", ["06-2991111", "06-2982712"]),
      ("06-2991111(日) 06-2982712(夜)", ["06-2991111", "06-2982712"]),
      ("06-2991111*8492", ["06-2991111#8492"]),
      ("06-2991111內線8492", ["06-2991111#8492"]),
      ("06-2991111(8492)", ["06-2991111#8492"]),
      ("06-2991111-8492", ["06-2991111#8492"]),
      ("06-2991111(1999)", ["06-2991111", "1999"]),
      ("06-2991111-5", ["06-2991111"]),
      ("06-2991111~5", ["06-2991111"]),
      ("06-2991111#8492~8495", ["06-2991111#8492"]),
      ("06-2991111#8492、#8493", ["06-2991111#8492", "06-2991111#8493"]),
      ("06-2991111轉06-2982712", ["06-2991111", "06-2982712"]),
      ("02/23456789、23456780", ["02-23456789", "02-23456780"]),
      ("037-322150、322151", ["037-322150", "037-322151"]),
      ("03-7123456、7123457", ["037-123456", "037-123457"]),
      ("04-22991111#12 049-2332161", ["04-22991111#12", "049-2332161"]),
      ("06一2991111", ["06-2991111"]),
      ("06ㄧ2991111", ["06-2991111"]),
      ("+886-(0)6-2991111", ["06-2991111"]),
      ("tel:+886-6-2991111;ext=8492", ["06-2991111#8492"]),
      ("06-2991111+2982712", ["06-2991111", "06-2982712"]),
      ("+81-3-1234-5678", ["+81312345678"]),
      ("+811234", []), ("+8112345", ["+8112345"]), ("+811234567890123", ["+811234567890123"]),
      ("+8112345678901234", []), ("0028860912345678", ["0912-345678"]), ("00288609123456789", []),
      ("06-2991111#123456", ["06-2991111#123456"]), ("06-2991111#1234567", ["06-2991111"]),
      ("06-2991111轉12樓", ["06-2991111"]), ("06-2991111轉123樓", ["06-2991111#123"]),
      ("06-2991111轉1234號", ["06-2991111"]), ("06-2991111轉12345號", ["06-2991111#12345"]),
      ("06-2991111轉 8:59", ["06-2991111"]), ("06-2991111轉 8:60", ["06-2991111#8"]),
      ("06-0912345678", ["0912-345678"]),
      ("062991111062982712", []),
      ("02-2345678", []),
      ("06-299111", []),
      ("070-1017-1234", []),
    ])
  func split(_ text: String, _ expected: [String]) {
    #expect(PhoneList(text).map(\.description) == expected)
  }

  @Test("use the area code of another city")
  func areaCode() {
    #expect(PhoneList("2345678", areaCode: "07").map(\.digits) == ["072345678"])
  }

  @Test("dial the extension after a pause, and keep the original text")
  func dialling() {
    let phones = PhoneList("06-2986672 轉 7620")
    #expect(phones[0].dialString == "062986672,7620")
    #expect(phones.rawText == "06-2986672 轉 7620")
    #expect(PhoneList([phones[0]]).rawText == "06-2986672#7620")
  }

  @Test("never trap, whatever the text contains")
  func arbitrary() {
    let seed: UInt64 = 0x5EED
    var random = SeededGenerator(seed: seed)
    let signs = Array("06-#轉分機 /、,;x+()１～~ext8\n9臺\u{0301}0299：.*")
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...24, using: &random)
      let text = String((0..<count).map { _ in signs.randomElement(using: &random) ?? "0" })
      for number in PhoneList(text) {
        #expect(
          number.digits.allSatisfy { "0123456789+".contains($0) }, "seed \(seed), text \(text)")
        #expect(DirtyPhones.canDial(number), "seed \(seed), text \(text): \(number)")
      }
    }
  }

  @Test("are looked for in long texts without reading the same groups again and again")
  func long() {
    #expect(PhoneList(String(repeating: "0-", count: 20_000)).isEmpty)
    let numbers = PhoneList(String(repeating: "0-", count: 1_000) + " 06-2991111")
    #expect(numbers.map(\.dialString) == ["062991111"])
  }

  @Test(
    "are found in any surrounding text, and nothing else is",
    arguments: Sample.of(0..<8 as Range<UInt64>, 2, inDebug: 1))
  func dirty(_ part: UInt64) {
    let seed = 20_261_122 + part
    var phones = DirtyPhones(random: SeededGenerator(seed: seed))
    var wrong: [String] = []
    for _ in 0..<1_000 {
      let (text, expected) = phones.text()
      let list = PhoneList(text)
      if list.map(\.dialString) != expected {
        wrong.append("\(text.debugDescription): \(list.map(\.dialString)), not \(expected)")
      }
      for number in list {
        #expect(DirtyPhones.canDial(number), "seed \(seed), \(text): \(number)")
      }
    }
    #expect(wrong.isEmpty, "seed \(seed), \(wrong.count) of 1000: \(wrong.prefix(5))")
  }

  @Test(
    "of the city's captures are all read, and can all be dialed",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func captures() throws {
    struct Row: Decodable { let tel, fax: String }
    let rows = try JSONDecoder().decode(
      [Row].self, from: Data(contentsOf: SharedData.url("civic/tainan-administrativeunit.json")))
    let texts = rows.flatMap { [$0.tel, $0.fax] }.filter { !["", "null"].contains($0) }
    let lists = texts.map { PhoneList($0) }
    #expect(texts.count == 324)
    #expect(lists.allSatisfy { !$0.isEmpty })
    #expect(lists.joined().count == 371)
    #expect(lists.joined().allSatisfy(DirtyPhones.canDial))
  }
}
