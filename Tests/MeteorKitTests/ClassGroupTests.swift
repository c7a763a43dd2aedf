import MeteorKit
import TestSupport
import Testing

@Suite("Groups of classes")
struct ClassGroupTests {
  @Test("Classes are grouped by these first words")
  func words() {
    let words: [Meteorite.ClassGroup: String] = [
      .ordinaryChondrite: "H L LL OC", .enstatiteChondrite: "E EH EL", .rumurutiChondrite: "R",
      .kakangariChondrite: "K", .carbonaceousChondrite: "C CB CBa CBb CH CI CK CM CO CR CV",
      .otherChondrite: "Chondrite Impact", .iron: "Iron", .stonyIron: "Pallasite Mesosiderite",
      .achondrite: """
      Acapulcoite Achondrite Angrite Aubrite Brachinite Diogenite Enst Eucrite Howardite Lodranite \
      Lunar Martian Ureilite Winonaite
      """,
    ]
    for group in Meteorite.ClassGroup.all {
      let expected = words[group]?.split(separator: " ") ?? []
      #expect(group.words == expected.map { $0.uppercased() })
      for word in expected {
        #expect(Meteorite.Classification(rawValue: String(word)).group == group, "\(word)")
      }
    }
  }

  @Test(
    "The old app's selection finds these meteorites among the real rows",
    .enabled(if: SharedData.isThere, "the captures are not here"))
  func talula() throws {
    let query = MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending)
    let found = query.find(in: try CaptureTests.all.get().records)
    #expect(
      found.map { "\($0.name) \($0.massInGrams ?? 0)" } == [
        "Chelyabinsk 100000.0", "Thika 14200.0", "Tissint 7000.0", "Boumdeid (2011) 3599.0",
        "Battle Mountain 2900.0", "Sołtmany 1066.0", "Sutter's Mill 992.5",
      ])
  }
}
