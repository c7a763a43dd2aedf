import CivicKit
import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The bytes of a directory's records", .timeLimit(.minutes(60)))
struct RecordBytesTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 1.5)

  private static func samples() -> [(record: CivicRecord, bytes: String)] {
    var unit = CivicUnit(id: "u", name: "n", parentID: "p")
    unit.details = "d"
    unit.phones = PhoneList("06-2991111#84")
    unit.faxes = PhoneList("06-6322231")
    unit.email = "e"
    unit.website = "w"
    unit.keywords = ["k", "l"]
    unit.iconName = "i"
    unit.field = PlanField(rawValue: "f")
    unit.planPosition = PlanPosition(x: 1, y: -2)
    unit.nearbyPathID = "q"
    unit.createdAt = date
    unit.updatedAt = date
    return [
      (.unit(CivicUnit(id: "u", name: "n")), "~00~00~01u~01n~00"),
      (
        .unit(unit),
        """
        ~00~ff?~01u~01n~00~01d~0d06-2991111#84~01~09062991111~01~0284~0a06-6322231\
        ~01~09066322231~00~02~01k~01l~00~00~00~00~00~00~f8?~00~00~00~00~00~00~f8?~01\
        e~01w~01~02~02~03~01q~03~01p~01i~01f
        """
      ),
      (.category(UnitCategory(id: "c", name: "n")), "~01~01c~01n~00~00~00~00~00~00"),
      (
        .category(
          UnitCategory(
            id: "c", name: "n", details: "d", iconName: "i", keywords: ["k", "l"],
            createdAt: date, updatedAt: date)),
        """
        ~01~01c~01n~01~01d~01~00~02~01k~01l~01~00~00~00~00~00~00~f8?~01~00~00\
        ~00~00~00~00~f8?~01~01i
        """
      ),
      (
        .memberships(
          "u",
          [
            UnitMembership(unitID: "u", categoryID: "c"),
            UnitMembership(unitID: "v", categoryID: "c", updatedAt: date),
          ]),
        """
        ~02~01u~02~00~00~00~01~01v~00~01~00~00~00~00~00~00~f8?~01~01c
        """
      ),
      (.keyword(CivicKeyword(id: "k", text: "t")), "~03~01k~01t~00~00~00~00~00"),
      (
        .keyword(
          CivicKeyword(
            id: "k", text: "t", kind: .facility, details: "d", createdAt: date, updatedAt: date)),
        """
        ~03~01k~01t~06~01~01d~01~00~00~00~00~00~00~f8?~01~00~00~00~00~00~00~f8?~00
        """
      ),
      (
        .keywordLinks(
          "u",
          [
            KeywordLink(objectID: "u", keywordID: "k"),
            KeywordLink(objectID: "v", keywordID: "k", updatedAt: date),
          ]),
        """
        ~04~01u~02~00~00~00~01~01v~00~01~00~00~00~00~00~00~f8?~01~01k
        """
      ),
      (
        .synonyms("u", [UnitSynonym(unitID: "u", text: "t"), UnitSynonym(unitID: "v", text: "s")]),
        "~05~01u~02~00~01t~01~01v~01s~00"
      ),
      (
        .banner(CivicBanner(id: "b", name: "n")),
        """
        ~06{~22id~22:~22b~22,~22name~22:~22n~22}~00
        """
      ),
      (
        .app(CivicApp(id: "a", name: "n")),
        """
        ~07{~22id~22:~22a~22,~22name~22:~22n~22}~00
        """
      ),
      (
        .instruction(InstructionPage(id: 7, name: "n", isRead: true)),
        """
        ~08{~22id~22:7,~22isRead~22:true,~22name~22:~22n~22}~00
        """
      ),
      (.search(SearchEntry("s")), "~09{~22text~22:~22s~22}~00"),
      (.launch(LaunchFlag(rawValue: "f")), "~0a~01f~00"),
      (
        .activity(CityActivity(id: "h", title: "n", isHidden: true)),
        """
        ~0b{~22isHidden~22:true,~22news~22:{~22authors~22:[],~22categories~22:[],~22enclosures\
        ~22:[],~22feed~22:~22hot~22,~22id~22:~22h~22,~22media~22:[],~22title~22:~22n~22}}~00
        """
      ),
    ]
  }

  @Test("the bytes of a directory's records match those of the files on disk")
  func bytes() throws {
    for sample in Self.samples() {
      let text = try StoredBytes.text(of: sample.record)
      #expect(text == sample.bytes)
    }
  }
}
