import FieldCore
import Testing

@Suite("A location in a cell")
struct GeolocationTests {
  @Test(
    "a location in a cell is read from every form, and is unreadable if a number is missing",
    arguments: [
      (#"{"type":"Point","coordinates":[6.5]}"#, [nil, nil]),
      (#"{"type":"Point","coordinates":[6.5,50.5]}"#, [50.5, 6.5]),
      (#"{"type":"Point","coordinates":[6.5,50.5,7]}"#, [50.5, 6.5]),
      (#"{"latitude":"50.5","longitude":"6.5"}"#, [50.5, 6.5]),
      (#"{"latitude":"50.5"}"#, nil), (#"{"latitude":"50.5","longitude":null}"#, [50.5, nil]),
      (#"[null,"50.5"]"#, [nil, nil]), (#"[null,"50.5","6.5"]"#, [50.5, 6.5]),
      (#"[null,"50.5","6.5",null,false]"#, [50.5, 6.5]), ("[null,null,null]", nil),
      (#""(50.5)""#, [nil, nil]), (#""(50.5, 6.5)""#, [50.5, 6.5]),
      (#""(50.5, 6.5, 7)""#, [nil, nil]), ("null", nil), ("7", [nil, nil]),
      (#""POINT (6.5 50.5)""#, [50.5, 6.5]), (#""point z(6.5 50.5 7)""#, [50.5, 6.5]),
      (#""SRID=4326;POINT(6.5 50.5)""#, [50.5, 6.5]), (#""POINTZ(6.5 50.5 1)""#, [50.5, 6.5]),
      (#""MULTIPOINT ((6.5 50.5))""#, [50.5, 6.5]), (#""POINT EMPTY""#, nil),
      (#""MULTIPOINT ((6.5 50.5), (7 51))""#, [nil, nil]), (#""POINT""#, [nil, nil]),
      (#""POINT (6.5 50""#, [nil, nil]), (#""POINT (6.5 50.5""#, [nil, nil]),
      (#""ＰＯＩＮＴ（６．５ ５０．５）""#, [50.5, 6.5]),
      (#""Main St 1\n(50.5, 6.5)""#, [50.5, 6.5]),
      (#""Main St (rear)\n(50.5, -6.5)\n""#, [50.5, -6.5]),
      (#""Main St 1""#, [nil, nil]), (#""Main St 1\n(50.5, 6""#, [nil, nil]), (#""(, )""#, nil),
      (#""50.5, 6.5""#, [50.5, 6.5]), (#""50,5""#, [nil, nil]), (#""12, 34""#, [nil, nil]),
      (#""{\"type\":\"Point\",\"coordinates\":[6.5,50.5]}""#, [50.5, 6.5]),
      (#""{\"type\":\"Point\",\"coordinates\":[6.5,50""#, [nil, nil]),
      (#"{"type":"Feature","geometry":{"type":"Point","coordinates":[6.5,50.5]}}"#, [50.5, 6.5]),
      (#"{"type":"MultiPoint","coordinates":[[6.5,50.5]]}"#, [50.5, 6.5]),
      (#"{"type":"MultiPoint","coordinates":[[6.5,50.5],[7,51]]}"#, [nil, nil]),
      (#"{"x":6.5,"y":50.5}"#, [50.5, 6.5]), (#"{"x":"NaN","y":"NaN"}"#, nil),
      (#"{"lat":50.5,"lng":6.5}"#, [50.5, 6.5]), (#"{"lat":50.5,"lon":"x"}"#, [50.5, nil]),
      (#"{"latitude":null,"longitude":null}"#, nil), (#"{"latitude":"","longitude":""}"#, nil),
      (#"{"type":"Point","coordinates":[]}"#, [nil, nil]), (#"{"coordinates":null}"#, nil),
      (#"{"type":"Point","coordinates":[null,null]}"#, nil), (#"{"place":"Aachen"}"#, [nil, nil]),
      (#"{"human_address":"{}","needs_recoding":false}"#, nil), ("{}", nil),
    ] as [(String, [Double?]?)])
  func pair(json: String, numbers: [Double?]?) throws {
    let pair = Geolocation.pair(in: try JSONDocument.value(Array(json.utf8)))
    #expect(pair.map { [$0.latitude, $0.longitude] } == numbers)
  }

  @Test("a location is found in one cell or in either of two, whatever the format of the body")
  func cells() throws {
    let aachen = try Coordinate(latitude: 50.5, longitude: 6.5)
    let bodies = [
      "id,place,other\n1,POINT (6.5 50.5),\n2,\"Main St 1\n(50.5, 6.5)\",\n3,,\"(50.5, 6.5)\"\n",
      "id\tplace\tother\n1\tPOINT (6.5 50.5)\n2\t(50.5, 6.5)\n"
        + "3\t\t\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[6.5,50.5]}\"\n",
      #"[{"id":1,"place":"POINT (6.5 50.5)"},{"id":2,"place":{"latitude":"50.5","longitude":6.5}},"#
        + #"{"id":3,"other":"{\"type\":\"Point\",\"coordinates\":[6.5,50.5]}"}]"#,
    ]
    for body in bodies {
      let read = try rows(Array(body.utf8), ["id", "place", "other"]) { row in
        [row.coordinate(latitude: 1, longitude: 2), row.coordinate(1) ?? row.coordinate(2)]
      }
      #expect(read == Array(repeating: [aachen, aachen], count: 3), "\(body)")
    }
  }

  @Test("a location in a cell isn't made of numbers that are decimals with a comma")
  func decimals() throws {
    let body = "id;lat;lon\n1;50,5;6,5\n2;50,5;\n3;50.5;6.5\n4;91;6\n"
    let read = try rows(Array(body.utf8), ["lat", "lon"]) { row in
      row.coordinate(latitude: 0, longitude: 1).map { [$0.latitude, $0.longitude] }
    }
    #expect(read[1...] == [nil, [50.5, 6.5], nil])
  }
}
