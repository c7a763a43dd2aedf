import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("A body that isn't a table of the zoo", .timeLimit(.minutes(60)))
struct ZooBadBodyTests {
  // 0.8 of Docs/old-apps.md
  @Test(
    "a body that isn't a table of the zoo is a typed error",
    arguments: [
      ("", "rows.empty"), ("  \r\n", "rows.empty"),
      ("<!DOCTYPE html><html><title>系統暫時無法提供服務</title></html>", "rows.notData"),
      ("\n <?xml version=\"1.0\"?><Error><Code>BlobNotFound</Code></Error>", "rows.notData"),
      (#"{"result":{"limit":20,"offset":0,"count":0,"sort":""}}"#, "zoo.unknownTable"),
      (#"{"result":{"limit":20,"offset":0,"count":0,"sort":"","results":[]}}"#, "zoo.emptyTable"),
      ("[]", "zoo.emptyTable"), ("[1,2,3]", "zoo.unknownTable"),
      (#"[{"Station":"士林站","Destination":"大安站"}]"#, "zoo.unknownTable"),
      (#"{"message":"not found"}"#, "rows.notData"), ("403 Forbidden\n", "rows.notData"),
      (#"{"result":{"results":[{"a_name_en":""},{"_id":2}]}}"#, "zoo.emptyTable"),
      ("a,b,c\r\n1,2,3\r\n", "zoo.unknownTable"), ("null", "zoo.unknownTable"),
      ("E_no,E_Category,E_Name\r\n", "zoo.emptyTable"),
      (#"{"result":{"results":[{"a_name_ch":"大貓熊"#, "rows.cut"),
      (#"[{"a_name_ch":"大貓熊"},{"a_name_ch":"花豹"}"#, "rows.cut"),
      ("D_Title,D_Time\r\n講古,\"11:00", "rows.cut"),
    ])
  func typed(body: String, code: String) throws {
    let error = try #require(throws: FieldError.self) {
      try Batch<ZooRecord>(reading: Array(body.utf8))
    }
    #expect(error.code.rawValue == code, "\(error)")
  }

  @Test("a body is an error if it is another table than requested")
  func another() throws {
    let body = ZooFixture.answer([ZooFixture.animal(1, "大貓熊")])
    let error = try #require(throws: FieldError.self) {
      try Batch<ZooRecord>(reading: body, as: .plants)
    }
    #expect(error.code == .zooUnknownTable)
    #expect(try Batch<ZooRecord>(reading: body, as: .animals).records.count == 1)
  }

  @Test("a body truncated at any byte is an error and never half a table")
  func cut() throws {
    let whole = ZooFixture.answer([
      ZooFixture.animal(1, "大貓熊", "121.5", "24.9", [("a_behavior", "1、獨居\r\n2、\"甲\"")]),
      ZooFixture.animal(2, "花豹"),
    ])
    #expect(try Batch<ZooRecord>(reading: whole).records.count == 2)
    for count in Sample.of(0..<whole.count, 100) {
      #expect(throws: FieldError.self, "\(count) bytes") {
        try Batch<ZooRecord>(reading: Array(whole[..<count]))
      }
    }
  }

  @Test("a body changed at random is an error or a table, and never a crash", .heavy)
  func mutated() throws {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let sources = [
      ZooFixture.answer(ZooGenerationTests.generations.map(\.row)), Array(ZooFixture.events.utf8),
    ]
    var tables = 0
    let count = Sample.rounds(1_500, 200, inDebug: 100)
    for round in 0..<count {
      var bytes = sources[round % sources.count]
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
        default: bytes.removeSubrange(at..<min(bytes.count, at + 20))
        }
      }
      do {
        let delivery = try Batch<ZooRecord>(reading: bytes)
        #expect(
          delivery.records.count + delivery.failures.count == delivery.facts.rowCount,
          "seed \(seed)")
        #expect(Set(delivery.animals.map(\.id)).count == delivery.animals.count, "seed \(seed)")
        tables += 1
      } catch is FieldError {
        // A typed error is what is wanted.
      }
    }
    #expect(tables > count / 6, "seed \(seed)")
  }
}
