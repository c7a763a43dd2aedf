import FieldPortals
import Foundation
import TestSupport
import Testing

@Suite("The portals' models")
struct PortalModelJSONTests {
  @Test("The portals' models have JSON that other programs can read")
  func models() throws {
    let table = OpenDataTable(
      resource: "00000000-1111-2222-3333-444444444444", columns: ["_id", "名稱"],
      rows: [OpenDataRow(columns: ["_id", "名稱"], values: ["1", nil])])
    try Golden("portals-models").expectModels(
      [
        "dataset": TaipeiDataset.zooAnimals, "patience": SODAPatience(), "table": table,
      ], retired: ["query"])
  }
}
