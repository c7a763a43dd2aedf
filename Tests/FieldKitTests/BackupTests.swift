import FieldKit
import Testing

@Suite("Backups of a device")
struct BackupTests {
  @Test("backups of a device include what the user has made, and nothing else")
  func stores() {
    let included: [any StoredRecord.Type] = [
      Sighting.self, WalkRecord.self, CivicRecord.self, FeedRecord.self,
    ]
    #expect(included.allSatisfy { $0.isBackedUp })
    let excluded: [any StoredRecord.Type] = [
      ZooRecord.self, Meteorite.self, ArrivalBoard.self, SODARow.self,
    ]
    #expect(!excluded.contains { $0.isBackedUp })
  }
}
