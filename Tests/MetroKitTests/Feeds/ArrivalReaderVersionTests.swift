import FieldCore
import Testing

@testable import MetroKit

@Suite("The version of the reader of arrivals")
struct ArrivalReaderVersionTests {
  /// A board keeps the name of its reader, and validators of another reader aren't sent. If the
  /// columns change, give the reader in `ArrivalBoard.reader(_:)` the next number, and this test the
  /// new checksum.
  @Test("the version of the reader of arrivals is new if the columns that it reads are")
  func columns() {
    #expect(
      ArrivalBoard.fingerprint("arrivals/1", columns: ArrivalColumn.all) == "arrivals/1 cb9b3899")
    #expect(ArrivalBoard.reader(.taipei).hasPrefix("arrivals/1 "))
  }
}
