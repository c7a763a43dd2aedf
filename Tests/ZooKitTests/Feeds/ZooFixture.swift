import Foundation
import ZooKit

/// Small bodies in the forms of the zoo's data, as they were over the years.
enum ZooFixture {
  /// An answer with its envelope.
  static func answer(_ rows: [String], count: Int? = nil, offset: Int = 0) -> [UInt8] {
    Array(
      #"{"result":{"limit":1000,"offset":\#(offset),"count":\#(count ?? rows.count),"sort":"","results":[\#(rows.joined(separator: ","))]}}"#
        .utf8)
  }

  /// A row of an object with these members, in this order.
  static func row(_ id: Int, _ members: [(String, String)]) -> String {
    let texts = members.map { "\(quoted($0.0)):\(quoted($0.1))" }
    return "{" + (["\"_id\":\(id)"] + texts).joined(separator: ",") + "}"
  }

  /// An animal as in 2026.
  static func animal(
    _ id: Int, _ name: String, _ longitude: String = "121.5832", _ latitude: String = "24.9971",
    _ more: [(String, String)] = []
  ) -> String {
    row(
      id, [("a_name_ch", name), ("a_longitude", longitude), ("a_latitude", latitude)] + more)
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// The events as the zoo's file has them: a byte-order mark, CRLF, forms of time and day.
  static let events =
    "\u{FEFF}D_Category,D_Title,D_Summary,D_Brief,D_StartDate,D_EndDate,D_Time,D_Location,D_Geo,"
    + "D_AddDate,D_RemoveDate,D_Keywords,D_Pic_Alt,D_Pic_URL,D_site_URL,D_Address,D_Site\r\n"
    + "保母講古,無尾熊的外觀,,每週三,2026/5/20,2026/5/20,11:00-11:25,無尾熊館,"
    + "\"MULTIPOINT((121.5827058,24.9983016))\",2026/5/19,2026/5/21,無尾熊,,,"
    + "https://www.zoo.gov.taipei/News_Content.aspx?n=1,臺北市文山區新光路二段30號,臺北市立動物園\r\n"
    + "保母講古暫停,大貓熊動物訓練,,第3個週三\t,2026/6/17,2026/6/17,\"09:30~11:30、13:30~15:30\","
    + "大貓熊館,\"MULTIPOINT((121.58318946529198,24.99721713220000))\",2026/6/16,2026/6/18,大貓熊,,,"
    + "無,臺北市文山區新光路二段30號,臺北市立動物園\r\n"
}
