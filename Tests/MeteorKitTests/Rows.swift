import MeteorKit

/// Small rows in the real formats, written for the tests.
enum Rows {
  static let aachen = """
    {"name":"Aachen","id":"1","nametype":"Valid","recclass":"L5","mass":"21","fall":"Fell",\
    "year":"1880-01-01T00:00:00.000","reclat":"50.775000","reclong":"6.083330",\
    "geolocation":{"latitude":"50.775","longitude":"6.08333"}}
    """
  static let hoba = """
    {"name":"Hoba","id":"11890","nametype":"Valid","recclass":"Iron, IVB","mass":"60000000",\
    "fall":"Found","year":"1920-01-01T00:00:00.000","reclat":"-19.583330","reclong":"17.916670",\
    "geolocation":{"type":"Point","coordinates":[17.91667,-19.58333]}}
    """
  static let osterplana = """
    {"name":"Österplana 009","id":"44852","nametype":"Relict","recclass":"Relict OC",\
    "fall":"Found","year":"1998-01-01T00:00:00.000","reclat":"58.583330","reclong":"13.433330"}
    """
  static let nowhere = """
    {"name":"Yamato 000001","id":"24500","nametype":"Valid","recclass":"L6","mass":"0.5",\
    "fall":"Found","year":"2000-01-01T00:00:00.000","reclat":"0.000000","reclong":"0.000000"}
    """
  static let all = json(aachen, hoba, osterplana, nowhere)

  static func json(_ rows: String...) -> String { "[\(rows.joined(separator: "\n,"))]\n" }

  /// So many rows of different ids, from 1 on.
  static func numbered(_ ids: some Sequence<Int>, mass: String = "10") -> String {
    let rows = ids.map { id in
      """
      {"name":"Stone \(id)","id":"\(id)","nametype":"Valid","recclass":"L6","mass":"\(mass)",\
      "fall":"Found","year":"1990-01-01T00:00:00.000","reclat":"\(id % 80).5","reclong":"\(id % 170).25"}
      """
    }
    return "[\(rows.joined(separator: ",\n"))]"
  }

  static func meteorites(_ json: String) throws -> [Meteorite] {
    try Batch<Meteorite>(reading: Array(json.utf8)).records
  }
}
