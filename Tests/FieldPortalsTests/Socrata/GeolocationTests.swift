import FieldCore
import FieldPortals
import Testing

@Suite("A location in a cell")
struct GeolocationTests {
  @Test(
    "is read from every form, and is unreadable if a number is missing",
    arguments: [
      (#"{"type":"Point","coordinates":[6.5]}"#, [nil, nil]),
      (#"{"type":"Point","coordinates":[6.5,50.5]}"#, [50.5, 6.5]),
      (#"{"type":"Point","coordinates":[6.5,50.5,7]}"#, [50.5, 6.5]),
      (#"{"latitude":"50.5","longitude":"6.5"}"#, [50.5, 6.5]), (#"{"latitude":"50.5"}"#, nil),
      (#"[null,"50.5"]"#, [nil, nil]), (#"[null,"50.5","6.5"]"#, [50.5, 6.5]),
      (#"[null,"50.5","6.5",null,false]"#, [50.5, 6.5]), ("[null,null,null]", nil),
      (#""(50.5)""#, [nil, nil]), (#""(50.5, 6.5)""#, [50.5, 6.5]),
      (#""(50.5, 6.5, 7)""#, [nil, nil]), ("null", nil), ("7", [nil, nil]),
    ] as [(String, [Double?]?)])
  func pair(json: String, numbers: [Double?]?) throws {
    let pair = Geolocation.pair(in: try JSONDocument.value(Array(json.utf8)))
    #expect(pair.map { [$0.latitude, $0.longitude] } == numbers)
  }
}
