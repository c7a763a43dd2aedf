import FieldCore
import Foundation
import Testing
import ZooKit

@Suite("A row of any year")
struct ZooGenerationTests {
  /// One animal in the keys of every generation.
  static let generations: [(name: String, row: String)] = [
    (
      "mixed case",
      ZooFixture.row(
        7,
        [
          ("A_Name_Ch", "雙峰駱駝"), ("A_Geo", "MULTIPOINT ((121.5856 24.995))"),
          ("A_Pic01_ALT", "駱駝"), ("A_Pic01_URL", "http://a.tw/a b.jpg"),
          ("A_pdf01_ALT", "學習單"), ("A_pdf01_URL", "http://a.tw/a.pdf"),
          ("A_Vedio_URL", "https://youtu.be/a"), ("A_Update", "2017/9/29"), ("A_CID", "6"),
        ])
    ),
    (
      "mixed case with a byte-order mark",
      ZooFixture.row(
        7,
        [
          ("\u{FEFF}A_Name_Ch", "雙峰駱駝"), ("A_Geo", "MULTIPOINT ((121.5856 24.995))"),
          ("A_Pic01_ALT", "駱駝"), ("A_Pic01_URL", "http://a.tw/a b.jpg"),
          ("A_pdf01_ALT", "學習單"), ("A_pdf01_URL", "http://a.tw/a.pdf"),
          ("A_Vedio_URL", "https://youtu.be/a"), ("A_Update", "2017/9/29"), ("A_CID", "6"),
        ])
    ),
    (
      "space around the keys",
      ZooFixture.row(
        7,
        [
          (" A_Name_Ch", "雙峰駱駝"), ("A_Geo ", "MULTIPOINT ((121.5856 24.995))"),
          ("A_Pic01_ALT", "駱駝"), (" A_Pic01_URL ", "http://a.tw/a b.jpg"),
          ("A_pdf01_ALT", "學習單"), ("A_pdf01_URL", "http://a.tw/a.pdf"),
          ("A_Vedio_URL", "https://youtu.be/a"), ("A_Update", "2017/9/29"), ("A_CID", "6"),
        ])
    ),
    (
      "a byte-order mark as an escape",
      #"{"_id":7,"\ufeffA_Name_Ch":"\u96d9\u5cf0\u99f1\u99dd","A_Geo":"POINT (121.5856 24.995)","#
        + #""A_Pic01_ALT":"駱駝","A_Pic01_URL":"http:\/\/a.tw\/a b.jpg","A_pdf01_ALT":"學習單","#
        + #""A_pdf01_URL":"http://a.tw/a.pdf","A_Vedio_URL":"https://youtu.be/a","#
        + #""A_Update":"2017/09/29","A_CID":6}"#
    ),
    (
      "a mark that has become a question mark, and an id as text",
      #"{"_id":"7","?A_Name_Ch":"雙峰駱駝","A_Geo":"MULTIPOINT((121.5856,24.995))","A_Pic01_ALT":"駱駝","#
        + #""A_Pic01_URL":"http://a.tw/a b.jpg","A_pdf01_ALT":"學習單","A_pdf01_URL":"http://a.tw/a.pdf","#
        + #""A_Vedio_URL":"https://youtu.be/a","A_Update":"2017-09-29","A_CID":"6"}"#
    ),
    (
      "lower case",
      ZooFixture.row(
        7,
        [
          ("a_name_ch", "雙峰駱駝"), ("a_geo", "MULTIPOINT (( 121.5856 24.995)"),
          ("a_pic01_alt", "駱駝"), ("a_pic01_url", "http://a.tw/a b.jpg"),
          ("a_pdf01_alt", "學習單"), ("a_pdf01_url", "http://a.tw/a.pdf"),
          ("a_vedio_url", "https://youtu.be/a"), ("a_update", "2017/9/29"), ("a_cid", "6"),
        ])
    ),
    (
      "2026",
      ZooFixture.row(
        7,
        [
          ("a_name_ch", "雙峰駱駝"), ("a_longitude", "121.5856 "), ("a_latitude", " 24.995"),
          ("a_pic01_alt", "駱駝"), ("a_pic01_url", "http://a.tw/a b.jpg"),
          ("a_pdf01_alt", "學習單"), ("a_pdf01_url", "http://a.tw/a.pdf"),
          ("a_vedio_url", "https://youtu.be/a"), ("a_update", "2017/9/29"), ("a_cid", "6"),
        ])
    ),
  ]

  // 0.1 of Docs/old-apps.md
  @Test(
    "a row of any year is the same animal in all generations of keys",
    arguments: generations.indices)
  func generation(index: Int) throws {
    let row = Self.generations[index].row
    for body in [ZooFixture.answer([row]), Array("[\(row)]".utf8), Array(row.utf8)] {
      let delivery = try Batch<ZooRecord>(reading: body)
      #expect(delivery.table == .animals)
      #expect(delivery.failures.isEmpty)
      #expect(
        delivery.animals == [
          Animal(
            id: "雙峰駱駝@24.9950,121.5856", name: "雙峰駱駝",
            places: [try Coordinate(latitude: 24.995, longitude: 121.5856)],
            pictures: [
              ZooMedia(number: 1, link: ZooLink("http://a.tw/a b.jpg"), caption: "駱駝")
            ],
            documents: [ZooMedia(number: 1, link: ZooLink("http://a.tw/a.pdf"), caption: "學習單")],
            video: ZooLink("https://youtu.be/a"), catalogNumber: "6",
            updated: try CalendarDay("2017-09-29"), rowNumber: 7)
        ], "\(Self.generations[index].name)")
    }
  }

  // 0.1 of Docs/old-apps.md
  @Test("a row of any year is distinguished from other tables by any of its columns")
  func tables() throws {
    func table(_ body: String) throws -> ZooTable? {
      try Batch<ZooRecord>(reading: Array(body.utf8)).table
    }
    #expect(try table(#"[{"F_Name_Latin":"Morus australis"}]"#) == .plants)
    #expect(try table(#"[{"\ufeffF_Name_Ch":"小葉桑"}]"#) == .plants)
    #expect(try table("A_Name_En\r\nTiger\r\n") == .animals)
    #expect(try table("D_Title,D_Time\r\n\"a_code, e_no\",11:00\r\n") == .events)
    #expect(try table(#"[{"E_Name":"鳥園區","E_Info":"a_name_ch"}]"#) == .areas)
  }

  // 0.1 of Docs/old-apps.md
  @Test("a row of any year needs no key except one name; a row without any is reported")
  func names() throws {
    let rows = [
      #"{"_id":1}"#, #"{"a_name_en":"Tiger"}"#, #"{"a_name_ch":"花豹"}"#,
      #"{"a_name_ch":"  ","a_name_latin":"Panthera leo"}"#, "17",
    ]
    let delivery = try Batch<ZooRecord>(reading: ZooFixture.answer(rows))
    #expect(delivery.animals.map(\.name) == ["Tiger", "花豹", "Panthera leo"])
    #expect(delivery.failures.map(\.index) == [0, 4])
    #expect(delivery.failures[0].reason == "the row has neither a name in any language nor a code")
    #expect(delivery.facts.rowCount == 5)
  }

  // 1.3 of Docs/old-apps.md
  @Test("a row of any year has its own import date, of which a batch has the newest")
  func importDates() throws {
    let rows = ["2022-12-23 14:05:14.668579", "2022-12-23 14:05:15.000000"].map { date in
      #"{"a_name_ch":"\#(date.suffix(2))","_importdate":{"date":"\#(date)","timezone_type":3,"#
        + #""timezone":"Asia/Taipei"}}"#
    }
    let delivery = try Batch<ZooRecord>(reading: ZooFixture.answer(rows))
    #expect(
      delivery.animals[0].importDate
        == Date(timeIntervalSinceReferenceDate: 693_468_314 + 668_579_000.0 / 1e9))
    #expect(delivery.facts.sourceDate == delivery.animals[1].importDate)
  }

  // 0.4, 1.2 of Docs/old-apps.md
  @Test(
    "an update of ######## or # isn't a date, and its text is kept",
    arguments: ["########", "#", "http://a.tw/a.jpg"])
  func updates(text: String) throws {
    let row = ZooFixture.animal(1, "大貓熊", "121.58", "24.99", [("a_update", text)])
    let delivery = try Batch<ZooRecord>(reading: ZooFixture.answer([row]))
    #expect(delivery.animals[0].updated == nil)
    #expect(delivery.animals[0].unreadable == ["a_update": text])
    #expect(
      delivery.unreadableCells == [
        ZooRecord.UnreadableCell(
          record: delivery.animals[0].id.rawValue, column: "a_update", rawText: text)
      ])
  }

  // 1.3 of Docs/old-apps.md
  @Test("a plant has its full-width key, its rank and many places")
  func plant() throws {
    for key in ["F_Function＆Application", "F_Function&Application", "f_function＆application"] {
      let row = #"""
        {"rank":0.0573088,"_full_count":"22","_id":3,"\#u{FEFF}F_Name_Ch":"大花紫薇","\#(key)":"1. 木材",
        "F_Geo":"MULTIPOINT ((121.5804577 24.9979216),  (121.5805328 24.9959671))",
        "F_Location":"臺灣動物區；蕨園","F_Family":"千屈菜科Lythraceae","F_Update":"2025/12/3"}
        """#
      let plant = try #require(Batch<ZooRecord>(reading: ZooFixture.answer([row])).plants.first)
      #expect(plant.uses == "1. 木材")
      #expect(plant.places.count == 2)
      #expect(plant.locations == ["臺灣動物區", "蕨園"])
      #expect(plant.updated == (try CalendarDay("2025-12-03")))
      #expect(plant.unreadable.isEmpty)
    }
  }

  @Test(
    "the last day of an event comes from its own column, or else from a range in the first",
    arguments: [
      ("2026/5/20~2026/5/22,", "2026-05-20", "2026-05-22"),
      ("2026/5/20-22,", "2026-05-20", "2026-05-22"),
      ("115年5月20日至5月22日,", "2026-05-20", "2026-05-22"),
      ("2026/5/20 09:00~17:00,", "2026-05-20", "2026-05-20"),
      ("2026/5/20~5/22,2026/5/23", "2026-05-20", "2026-05-23"),
      ("2026/5/20,2026/5/20~5/22", "2026-05-20", "2026-05-22"),
      ("2026/5/20~5/22,########", "2026-05-20", nil), ("2026/5/20,", "2026-05-20", nil),
    ])
  func ranges(cells: String, first: String, last: String?) throws {
    let file = ZooFixture.events
      .replacing("2026/5/20,2026/5/20", with: cells)
      .replacing("2026/5/19,2026/5/21", with: cells)
    let event = try #require(Batch<ZooRecord>(reading: Array(file.utf8)).events.first)
    #expect(event.start?.description == first && event.end?.description == last)
    #expect(
      event.publishedFrom?.description == first && event.publishedUntil?.description == last)
  }

  // 2.4 of Docs/old-apps.md
  @Test("events come from a file with a byte-order mark")
  func events() throws {
    let delivery = try Batch<ZooRecord>(reading: Array(ZooFixture.events.utf8))
    #expect(delivery.table == .events)
    #expect(delivery.events.map(\.title) == ["無尾熊的外觀", "大貓熊動物訓練"])
    let (first, second) = (delivery.events[0], delivery.events[1])
    #expect(first.start == (try CalendarDay("2026-05-20")))
    #expect(first.places == [try Coordinate(latitude: 24.9983016, longitude: 121.5827058)])
    #expect(first.publishedFrom == (try CalendarDay("2026-05-19")))
    #expect(first.days == ZooDayRule(weekdays: [.wednesday]))
    #expect(first.link?.url.host() == "www.zoo.gov.taipei")
    #expect(first.category == "保母講古")
    #expect(second.isPaused)
    #expect(second.days == ZooDayRule(weekdays: [.wednesday], weeksOfMonth: [3]))
    #expect(second.times.map(\.description) == ["09:30-11:30", "13:30-15:30"])
    #expect(second.unreadable == ["d_site_url": "無"])
    #expect(second.site == "臺北市立動物園")
  }

  // 1.1 of Docs/old-apps.md
  @Test("a Big5 file is read like the same file in UTF-8")
  func big5() throws {
    let text =
      "E_no,E_Category,E_Name,E_Pic_URL,E_Info,E_Memo,E_Longitude,E_Latitude,E_URL\r\n"
      + "8,戶外區,鳥園區,http://a.tw/a.jpg,\"許功蓋，\n第二行\",,121.5889 ,24.9957,\r\n"
      + "12,室內區,兩棲爬蟲動物館,,,每月第三個週一休館,121.5898 ,24.9941,\r\n"
    let bytes = try #require(Big5.bytes(text))
    let big5 = try Batch<ZooRecord>(reading: bytes)
    #expect(big5 == (try Batch<ZooRecord>(reading: Array(text.utf8))))
    #expect(big5.areas.map(\.name) == ["鳥園區", "兩棲爬蟲動物館"])
    #expect(big5.areas[0].info == "許功蓋，\n第二行")
    #expect(big5.areas[1].isClosed(on: try CalendarDay("2026-06-15")) == true)
  }

  @Test("an invalid UTF-8 byte costs its row and doesn't make the file Big5")
  func damaged() throws {
    let rows = (1...6).map { ZooFixture.animal($0, "動物甲乙丙\($0)") }
    var body = ZooFixture.answer(rows)
    let at = try #require(body.firstIndex { $0 >= 0x80 })
    body[at] = 0xFF
    let delivery = try Batch<ZooRecord>(reading: body)
    #expect(delivery.animals.map(\.name) == (2...6).map { "動物甲乙丙\($0)" })
    #expect(delivery.failures.map(\.index) == [0])
  }
}
