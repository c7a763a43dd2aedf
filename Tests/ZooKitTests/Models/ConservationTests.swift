import Testing
import ZooKit

@Suite("The zoo's conservation column")
struct ConservationTests {
  /// All 28 spellings of 2026, with the number of rows that have each.
  static let spellings: [(text: String, status: ConservationStatus?, rows: Int)] = [
    ("暫無危機 LC", .leastConcern, 96), ("易危 VU", .vulnerable, 30), ("瀕危 EN", .endangered, 28),
    ("極危 CR", .criticallyEndangered, 18), ("接近受威脅 NT", .nearThreatened, 17),
    ("易危VU", .vulnerable, 14), ("無危LC", .leastConcern, 13), ("瀕危EN", .endangered, 11),
    ("無危 LC", .leastConcern, 8), ("極危CR", .criticallyEndangered, 7),
    ("近危NT", .nearThreatened, 6), ("未評估 NE", .notEvaluated, 6),
    ("一般類野生動物", nil, 4), ("(台灣特有亞種)非保護類野生動物", nil, 4),
    ("未評估NE", .notEvaluated, 3), ("暫無危機(LC)", .leastConcern, 2),
    ("(臺灣特有種)保育類野生動物", nil, 2), ("易危(VU)", .vulnerable, 1),
    ("資料不足 DD", .dataDeficient, 1), ("保育類", nil, 1), ("瀕臨絕種保育類", nil, 1),
    ("臺灣特有亞種", nil, 1), ("野外滅絕 EW", .extinctInTheWild, 1),
    ("(臺灣特有亞種)易危 VU", .vulnerable, 1), ("(臺灣特有種)暫無危機 LC", .leastConcern, 1),
    ("(臺灣特有亞種)暫無危機 LC", .leastConcern, 1), ("(台灣特有種)珍貴稀有野生動物", nil, 1),
    ("(台灣特有亞種)其他應予保育之野生動物", nil, 1),
  ]

  // 2.1 of Docs/old-apps.md
  @Test(
    "the conservation column is a status of the Red List in all its spellings",
    arguments: spellings.indices)
  func status(index: Int) {
    let spelling = Self.spellings[index]
    #expect(ConservationStatus(reading: spelling.text) == spelling.status)
  }

  @Test(
    "a conservation status is known by its Chinese name alone, in full width, and in any case",
    arguments: [
      ("極危", ConservationStatus.criticallyEndangered), ("瀕危", .endangered), ("易危", .vulnerable),
      ("近危", .nearThreatened), ("接近受威脅", .nearThreatened), ("無危", .leastConcern),
      ("暫無危機", .leastConcern), ("資料不足", .dataDeficient), ("未評估", .notEvaluated),
      ("野外滅絕", .extinctInTheWild), ("滅絕", .extinct), ("易危（ＶＵ）", .vulnerable),
      ("iucn: lc", .leastConcern), ("LR/nt", .nearThreatened),
    ])
  func otherSpellings(text: String, status: ConservationStatus) {
    #expect(ConservationStatus(reading: text) == status)
  }

  @Test(
    "the conservation column isn't a status if two letters only occur in a word",
    arguments: ["", "ENDEMIC", "VUX", "保育類", "AB"])
  func none(text: String) {
    #expect(ConservationStatus(reading: text) == nil)
  }

  // 2.1 of Docs/old-apps.md
  @Test(
    "a category of Taiwan's law stands beside the status",
    arguments: [
      ("瀕臨絕種保育類", ProtectionCategory.endangered),
      ("(台灣特有種)珍貴稀有野生動物", .rareAndValuable),
      ("(台灣特有亞種)其他應予保育之野生動物", .otherProtected), ("保育類", .protected),
      ("(臺灣特有種)保育類野生動物", .protected), ("一般類野生動物", .general),
      ("(台灣特有亞種)非保護類野生動物", .general),
    ])
  func protection(text: String, category: ProtectionCategory) {
    #expect(ProtectionCategory(reading: text) == category)
    #expect(ProtectionCategory(reading: "易危 VU") == nil)
  }

  // 2.1 of Docs/old-apps.md
  @Test(
    "endemic species are identified, with 台 and with 臺",
    arguments: [
      ("(臺灣特有種)暫無危機 LC", Endemism.species), ("(台灣特有種)珍貴稀有野生動物", .species),
      ("(臺灣特有亞種)易危 VU", .subspecies), ("臺灣特有亞種", .subspecies), ("易危 VU", nil),
    ])
  func endemism(text: String, endemism: Endemism?) {
    #expect(Endemism(reading: text) == endemism)
  }

  @Test("a conservation status has a name in three languages, and its code if it is unknown")
  func titles() {
    #expect(ConservationStatus.vulnerable.title.string() == "Vulnerable")
    #expect(ConservationStatus.vulnerable.title.string(in: .traditionalChinese) == "易危")
    #expect(ConservationStatus.vulnerable.title.string(in: .korean) == "취약")
    #expect(ConservationStatus(rawValue: "XX").title.string() == "XX")
    #expect(
      ProtectionCategory.rareAndValuable.title.string(in: .traditionalChinese) == "珍貴稀有野生動物")
    for status in ConservationStatus.known {
      #expect(ConservationStatus(reading: status.title.string(in: .traditionalChinese)) == status)
    }
  }

  @Test("a conservation status is threatened if critically endangered, endangered, or vulnerable")
  func threatened() {
    let threatened = ConservationStatus.known.filter(\.isThreatened)
    #expect(threatened == [.criticallyEndangered, .endangered, .vulnerable])
  }
}
