import FieldKit
import Testing

@Suite("Backups of a device")
struct BackupTests {
  @Test("include what the user has made, and nothing else")
  func stores() {
    let included: [any StoredRecord.Type] = [
      Sighting.self, StoredWalks.Record.self, CivicRecord.self, FeedRecord.self,
    ]
    for record in included { #expect(record.isBackedUp, "\(record)") }
    let excluded: [any StoredRecord.Type] = [
      ZooRecord.self, Meteorite.self, ArrivalBoard.self, SODARow.self,
    ]
    for record in excluded { #expect(!record.isBackedUp, "\(record)") }
  }
}
