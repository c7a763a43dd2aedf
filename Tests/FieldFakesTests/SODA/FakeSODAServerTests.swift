import FieldCore
import FieldFakes
import Foundation
import Testing

@Suite("The fake portal")
struct FakeSODAServerTests {
  @Test("the fake portal streams rows like a portal, without keys for null values")
  func layout() async throws {
    let portal = Portal(server: smallPortal())
    let answer = try await portal.get(nil, ["$select": "id,mass,place", "$limit": "2"])
    let point = #"{"type":"Point","coordinates":[6.08333,50.775]}"#
    let other = #"{"type":"Point","coordinates":[0.63333,48.76667]}"#
    #expect(
      try portal.text(answer) == #"[{"id":"1","mass":"21","place":\#(point)}"#
        + "\n" + #",{"id":"2","mass":"0.28000000000000003","place":\#(other)}]"# + "\n")
    let none = try await portal.get(nil, ["$where": "mass > 22"])
    #expect(try portal.text(none) == "[]\n")
  }

  @Test(
    "the fake portal's rows can all be read once by keyset, for any page size and ties",
    arguments: [1, 2, 3, 7, 50])
  func keyset(size: Int) async throws {
    var options = FakeSODAServer.Options()
    options.stampStep = .zero
    let server = FakeSODAServer(columns: ["id"], key: "id", options: options)
    server.insert((0..<13).map { ["id": .text("\($0)")] })
    for number in 13..<21 { server.insert([["id": .text("\(number)")]]) }
    let portal = Portal(server: server)
    var seen: [String] = []
    var condition: String?
    while true {
      let parameters: KeyValuePairs<String, String> = [
        "$select": "*,:id,:updated_at", "$where": condition ?? "1 = 1",
        "$order": ":updated_at,:id", "$limit": "\(size)",
      ]
      let rows = try await portal.rows(parameters)
      #expect(server.lastVisitedCount <= size)
      guard let last = rows.last, let stamp = last[":updated_at"] as? String,
        let id = last[":id"] as? String
      else { break }
      seen += rows.compactMap { $0["id"] as? String }
      condition = ":updated_at > '\(stamp)' OR (:updated_at = '\(stamp)' AND :id > '\(id)')"
    }
    #expect(seen == (0..<21).map { "\($0)" })
    #expect(server.requestCount == 21 / size + 1 + (21 % size == 0 ? 0 : 1))
  }
}
