import FieldCore
import FieldPortals
import TestSupport
import Testing

@Suite("The stored form of a row of any dataset")
struct SODARowStorageTests {
  @Test("the stored form of a row of any dataset is checked for the ID as strictly as it is read")
  func checking() throws {
    let rows = ["1", "臺北", ""].map { id in
      SODARow(
        id: .init(rawValue: id),
        cells: ["name": SODAValue("Aachen \(id)"), "mass": SODAValue("21.5"), "石": SODAValue("é")])
    }
    let rounds = Sample.rounds(100_000, 2000, inDebug: 500)
    #expect(try StoredBytes.misjudged(rows, rounds: rounds, seed: Sample.seed()) == [])
  }
}
