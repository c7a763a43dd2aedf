import FieldCore
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("A feed", .heavy)
struct FeedFormTests {
  @Test("a feed reports the same events in every form", arguments: FeedFixture.events.indices)
  func events(form: Int) throws {
    let rows = try Batch<Arrival>(reading: FeedFixture.events[form].bytes)
    #expect(rows.failures.isEmpty)
    #expect(rows.records.map(\.station) == ["台北車站", "中山國中"])
    #expect(rows.records.map(\.destination) == ["淡水", "動物園"])
    #expect(rows.records.map(\.line) == ["R", "BR"])
    #expect(
      rows.records.map(\.updatedAt?.instant?.timeIntervalSince1970)
        == [1_791_436_562, 1_791_436_544])
    #expect(
      rows.records.map(\.updatedAt?.taipeiText).allSatisfy {
        $0?.hasPrefix("2026年10月08日13時1") == true
      })
    #expect(rows.records.allSatisfy { $0.countdown == nil && $0.trainNumber == nil })
    #expect(rows.unreadTimes.isEmpty && rows.unknownStations.isEmpty)
    #expect(rows.newest?.instant?.timeIntervalSince1970 == 1_791_436_562)
    let plain = try Batch<Arrival>(reading: FeedFixture.events[0].bytes)
    #expect(rows.records.map(\.id) == plain.records.map(\.id))
  }

  @Test("a feed keeps the additional values of each form")
  func particulars() throws {
    let plain = try Batch<Arrival>(reading: Array(FeedFixture.plain.utf8)).records
    #expect(
      plain.map(\.stationEnglishName) == ["TaipeiMainStation", "Zhongshan Junior High School"])
    #expect(plain.map(\.destinationEnglishName) == ["Tamsui", "TaipeiZoo"])
    #expect(plain.map(\.stationName) == ["台北車站", "中山國中站"])
    #expect(plain.map(\.sourceID) == [nil, nil])
    let old = try Batch<Arrival>(reading: Array(FeedFixture.openData.utf8))
    #expect(old.records.map(\.sourceID) == ["1", "2"])
    #expect(
      old.records.map(\.updatedAt?.rawText) == ["2026-10-08T13:16:02.0", "2026-10-08T13:15:44"])
    #expect(old.facts.announcedCount == 2)
    let tdx = try Batch<Arrival>(reading: Array(FeedFixture.liveBoard.utf8)).records
    #expect(tdx.map(\.stationEnglishName) == ["Taipei Main Station", nil])
    #expect(tdx.map(\.service) == [.normal, .normal])
    #expect(
      tdx.map(\.updatedAt?.rawText) == ["2026-10-08T13:16:02+08:00", "2026-10-08T13:15:44+08:00"])
  }

  @Test("a feed for members counts down, in every wrapping", arguments: FeedFixture.countdowns)
  func countdowns(text: String) throws {
    let rows = try Batch<Arrival>(reading: Array(text.utf8))
    #expect(rows.failures.isEmpty)
    #expect(rows.records.map(\.stationName) == ["台北車站", "港漧", "市政府站", "松山機楊"])
    #expect(rows.records.map(\.station) == ["台北車站", "港墘", "市政府", "松山機場"])
    #expect(rows.records.map(\.destination) == ["淡水", "動物園", "頂埔", "南港展覽館"])
    #expect(rows.records.map(\.trainNumber) == ["104", nil, "213", nil])
    #expect(rows.records.map(\.line) == ["R", "BR", "BL", "BR"])
    #expect(rows.records.map(\.countdown?.seconds) == [41, 0, 7_265, nil])
    #expect(rows.records.map(\.countdown?.rawValue) == ["00:41", "列車進站", "121:05", "營運時間已過"])
    #expect(rows.records[1].updatedAt == nil)
    #expect(rows.records[0].updatedAt?.instant?.timeIntervalSince1970 == 1_754_830_822)
    #expect(Set(rows.records.map(\.id)).count == 4)
  }

  @Test("a feed of TDX with estimates counts down, in the configured unit")
  func estimates() throws {
    let text = FeedFixture.liveBoard.replacing(#""EstimateTime":0"#, with: #""EstimateTime":2"#)
    let seconds = try Batch<Arrival>(reading: Array(text.utf8))
    #expect(seconds.records.map(\.countdown?.seconds) == [2, 2])
    let minutes = try Batch<Arrival>(reading: Array(text.utf8), estimateUnit: .minutes)
    #expect(minutes.records.map(\.countdown?.rawValue) == ["02:00", "02:00"])
  }

  @Test("a feed of TDX finds a station by its code, and a destination by the train's sign")
  func codes() throws {
    let text = #"""
      [{"StationID":"BL12","StationName":{"Zh_tw":"新名"},"TripHeadSign":"往頂埔","UpdateTime":"2026-10-08T13:16:02+08:00"},
      {"StationID":"BL13","DestinationStationID":"BL01","DestinationStationName":{"Zh_tw":""},"SrcUpdateTime":"?","UpdateTime":"2026-10-08T13:16:02+08:00"}]
      """#
    let arrivals = try Batch<Arrival>(reading: Array(text.utf8)).records
    #expect(arrivals.map(\.stationName) == ["新名", "BL13"])
    #expect(arrivals.map(\.station) == ["台北車站", "善導寺"])
    #expect(arrivals.map(\.destination) == ["頂埔", "頂埔"])
    #expect(arrivals.allSatisfy { $0.updatedAt?.instant != nil })
  }

  @Test("a feed numbers identical rows")
  func repeated() throws {
    let row = #"{"Station":"士林站","Destination":"淡水站","UpdateTime":"20261008131602"}"#
    let rows = try Batch<Arrival>(reading: Array("[\(row),\(row),\(row)]".utf8))
    let ids = rows.records.map(\.id.rawValue)
    #expect(ids == [ids[0], ids[0] + "#2", ids[0] + "#3"])
  }

  @Test("a feed reports the line if only one goes there")
  func lines() throws {
    let pairs =
      [
        ("忠孝復興", "南港展覽館", nil), ("大安", "北投", "R"), ("淡水", "淡水", "R"), ("台北車站", "台北車站", nil),
        ("七張", "小碧潭", "G"), ("板橋", "新北產業園區", "Y"), ("板橋", "頂埔", "BL"), ("月球", "淡水", nil),
      ] as [(String, String, MetroLine.ID?)]
    let text = pairs.map { #"{"Station":"\#($0.0)站","Destination":"\#($0.1)站"}"# }
    let rows = try Batch<Arrival>(reading: Array("[\(text.joined(separator: ","))]".utf8))
    for (arrival, pair) in zip(rows.records, pairs) {
      #expect(arrival.line == pair.2, "\(pair.0) to \(pair.1)")
    }
    #expect(rows.unknownStations == ["月球站"])
    #expect(rows.records.last?.station == nil)
  }

  @Test("a feed ignores a number that belongs to no line")
  func trainNumbers() throws {
    func line(_ number: String, _ station: String = "台北車站") throws -> MetroLine.ID? {
      let row =
        #"{"TrainNumber":"\#(number)","StationName":"\#(station)","DestinationName":"?","CountDown":"00:10"}"#
      return try Batch<Arrival>(reading: Array("[\(row)]".utf8)).records.first?.line
    }
    #expect(try line("104") == "R")
    #expect(try line("213") == "BL")
    #expect(try line("1104") == "R")
    #expect(try line("313") == nil, "no green train stops there")
    #expect(try line("313", "月球") == "G")
    #expect(try line("7,26") == nil)
    #expect(try line("99") == nil)
    #expect(try line("504") == nil)
  }

  @Test(
    "a body that isn't a feed is an error that describes the content",
    arguments: [
      (FeedFixture.webPage, FieldError.Code.notData, "系統維護中"),
      ("", .emptyBody, "empty"), (" \n", .emptyBody, "blank"),
      (FeedFixture.fault, .feedRefused, "帳號 <或> 密碼錯誤"),
      ("[]" + FeedFixture.fault, .feedRefused, "密碼錯誤"),
      ("<string>系統忙碌中</string>", .feedRefused, "系統忙碌中"),
      ("<string></string>", .feedRefused, "nothing"),
      ("<string> \n</string>", .feedRefused, "nothing"),
      (FeedFixture.envelope, .feedRefused, "empty"),
      (#"{"message":"API rate limit exceeded"}"#, .notData, "rate limit"),
      ("<?xml version=\"1.0\"?><Error><Code>BlobNotFound</Code></Error>", .notData, "BlobNotFound"),
      (#"[{"Station":"士林站""#, .cut, "cut off"), ("[{]", .malformed, "byte 2"),
    ])
  func foreign(text: String, code: FieldError.Code, said: String) {
    let error = #expect(throws: FieldError.self) { try Batch<Arrival>(reading: Array(text.utf8)) }
    #expect(error?.code == code)
    #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
  }

  @Test("a feed without rows has none")
  func empty() throws {
    #expect(try Batch<Arrival>(reading: Array("[]".utf8)).facts.rowCount == 0)
    #expect(
      try Batch<Arrival>(reading: Array(("[]" + FeedFixture.envelope).utf8)).facts.rowCount == 0)
  }

  @Test("a feed in another encoding is an error that names it, and never mojibake")
  func encodings() throws {
    // Latin letters with accents: neither UTF-8 nor Big5.
    let broken = Array(FeedFixture.resource.utf8).map { $0 >= 0x80 ? 0xFF : $0 }
    var utf16: [UInt8] = [0xFF, 0xFE]
    for unit in FeedFixture.resource.utf16 {
      utf16 += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
    }
    let foreign = try #require(Big5.bytes(#"[{"Station":"許功蓋","Destination":"許功蓋"}]"#))
    for bytes in [broken, utf16, foreign] {
      let error = #expect(throws: FieldError.self) { try Batch<Arrival>(reading: bytes) }
      #expect(error?.code == .encoding)
    }
    let error = #expect(throws: FieldError.self) { try Batch<Arrival>(reading: broken) }
    #expect(error?.message.contains("Big5") == true)
  }

  @Test("a feed with one row of invalid bytes loses only that row")
  func wrongBytes() throws {
    var bytes = Array(FeedFixture.resource.utf8)
    let place = try #require(bytes.firstIndex { $0 >= 0x80 })
    bytes[place] = 0xFF
    let rows = try Batch<Arrival>(reading: bytes)
    #expect(rows.failures.map(\.index) == [0])
    #expect(rows.records.map(\.station) == ["中山國中"])
  }

  @Test(
    "a feed in Big5 with one invalid byte loses only that row",
    arguments: [0, 1, 2], [0x80, 0x3F, 0xFF] as [UInt8])
  func wrongBig5(place: Int, byte: UInt8) throws {
    var bytes = try #require(Big5.bytes(FeedFixture.resource))
    bytes[try #require(bytes.firstIndex { $0 >= 0x80 }) + place] = byte
    let rows = try Batch<Arrival>(reading: bytes)
    #expect(rows.facts.rowCount == 2)
    #expect(rows.records.last?.station == "中山國中")
    #expect(rows.records.count == 1 || rows.records[0].station != "台北車站")
  }

  @Test("a feed finds a station by its English name if the Chinese one is misspelled or missing")
  func byEnglish() throws {
    let rows = try Batch<Arrival>(
      reading: Array(
        #"""
        [{"Station":"台北車佔","StationEn":"TaipeiMainStation","Destination":"淡水站","UpdateTime":"20261008131602"},
         {"StationEn":"Shilin","Destination":"","DestinationEn":"DAAN","UpdateTime":"20261008131602"},
         {"Station":"士林站","StationEn":"Elsewhere","Destination":"某處","DestinationEn":"Nowhere","UpdateTime":""}]
        """#.utf8))
    #expect(rows.failures.isEmpty)
    #expect(rows.records.map(\.station) == ["台北車站", "士林", "士林"])
    #expect(rows.records.map(\.destination) == ["淡水", "大安", nil])
    #expect(rows.records.map(\.stationName) == ["台北車佔", "Shilin", "士林站"])
    #expect(rows.unknownStations == ["某處"])
  }

  @Test(
    "a feed truncated at any byte is a typed error, or has whole rows",
    arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  func cut(form: Int) throws {
    let bodies = FeedFixture.events.map(\.bytes) + FeedFixture.countdowns.map { Array($0.utf8) }
    let whole = try Batch<Arrival>(reading: bodies[form]).records
    let known = Set(whole)
    for count in Sample.of(0..<bodies[form].count, 25) {
      do {
        let rows = try Batch<Arrival>(reading: Array(bodies[form].prefix(count)))
        #expect(rows.records == whole, "after \(count) bytes")
        #expect(rows.failures.isEmpty, "after \(count) bytes")
        #expect(rows.records.allSatisfy(known.contains))
      } catch let error as FieldError {
        #expect(error.code.rawValue.hasPrefix("rows.") || error.code == .feedRefused, "\(error)")
      }
    }
  }

  @Test(
    "a feed with any byte changed is a typed error or rows, and never a crash", arguments: 0..<6)
  func noise(form: Int) {
    var seed = Sample.seed() &+ UInt64(form)
    let bodies = FeedFixture.events.map(\.bytes)
    for _ in 0..<Sample.rounds(400, 40) {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var bytes = bodies[form]
      bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 25)
      do {
        _ = try Batch<Arrival>(reading: bytes)
      } catch {
        #expect(error is FieldError, "form \(form): \(error)")
      }
    }
  }
}
