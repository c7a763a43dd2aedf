import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The zoo on data.taipei", .timeLimit(.minutes(60)))
struct TaipeiZooTests {
  private static func page(_ ids: Range<Int>, of count: Int) -> StubTransport.Response {
    .bytes(
      ZooFixture.answer(
        ids.map { ZooFixture.animal($0, "動物\($0 % 3)", "121.58\($0 % 7)", "24.99") },
        count: count, offset: ids.lowerBound))
  }

  // 0.3 of Docs/old-apps.md
  @Test("the zoo is requested page by page until all rows have arrived, whatever the limit")
  func paging() async throws {
    let transport = StubTransport {
      $0.on(
        "zoo.animals.page",
        respond: .sequence(
          Self.page(0..<4, of: 9), Self.page(4..<8, of: 9), Self.page(8..<9, of: 9)))
    }
    var source = TaipeiZoo(transport: transport)
    source.portal.pageSize = 1000
    let delivery = try await source.read(.animals)
    #expect(delivery.animals.count == 9)
    #expect(delivery.facts.rowCount == 9)
    #expect(delivery.facts.announcedCount == 9)
    #expect(delivery.isComplete)
    // The keys are unique over all pages.
    #expect(Set(delivery.animals.map(\.id)).count == 9)
    let offsets = transport.requests.map { $0.url.query()?.split(separator: "&").last ?? "" }
    #expect(offsets == ["offset=0", "offset=4", "offset=8"])
    #expect(
      transport.requests[0].url.path()
        == "/api/v1/dataset/6afa114d-38a2-4e3c-9cfd-29d3bd26b65b")
  }

  // 0.2 of Docs/old-apps.md
  @Test("a retired ID is replaced by the next, and the last one by its own error")
  func retired() async throws {
    let transport = StubTransport {
      $0.on(
        "zoo.animals.page", where: { $0.url.path().contains("6afa114d") },
        respond: .json(text: #"{"result":{"count":0}}"#))
      $0.on(
        "zoo.animals.page", where: { $0.url.path().contains("a3e2b221") },
        respond: Self.page(0..<2, of: 2))
      $0.on("zoo.plants.page", respond: .status(404))
    }
    let source = TaipeiZoo(transport: transport)
    #expect(try await source.read(.animals).animals.count == 2)
    let error = await #expect(throws: FieldError.self) { try await source.read(.plants) }
    #expect(error?.code == .datasetRetired)
  }

  // 0.8 of Docs/old-apps.md
  @Test(
    "an invalid table is a typed error",
    arguments: [
      ("<html><body>系統暫時無法提供服務</body></html>", "rows.notData"),
      (#"{"result":{"count":0,"results":[]}}"#, "zoo.emptyTable"),
      (#"{"result":{"count":1,"results":[{"_id":1}]}}"#, "zoo.emptyTable"),
      (#"{"result":{"count":1,"results":[{"a_name_ch":"大"#, "rows.cut"),
    ])
  func errors(body: String, code: String) async throws {
    let transport = StubTransport { $0.on("zoo.animals.page", respond: .json(text: body)) }
    let error = await #expect(throws: FieldError.self) {
      try await TaipeiZoo(transport: transport).read(.animals)
    }
    #expect(error?.code.rawValue == code)
    #expect(error?.operation == "zoo.animals.page")
  }

  // 1.4 of Docs/old-apps.md
  @Test("a status of 500 is an error with its page's text, and not a retired ID")
  func trouble() async throws {
    let page = "<html><head><title>系統暫時無法提供服務</title></head></html>"
    let transport = StubTransport {
      $0.on("zoo.areas.page", respond: .text(page, status: 500))
    }
    let error = await #expect(throws: FieldError.self) {
      try await TaipeiZoo(transport: transport).read(.areas)
    }
    #expect(error?.code == .status)
    #expect(error?.message.contains("系統暫時無法提供服務") == true)
    #expect(transport.requests.count == 1)
  }

  // 1.4 of Docs/old-apps.md
  @Test("a missing later page is an error, and no rows of another ID are mixed in")
  func laterPage() async throws {
    let transport = StubTransport {
      $0.on("zoo.animals.page", respond: .sequence(Self.page(0..<4, of: 9), .status(404)))
    }
    let error = await #expect(throws: FieldError.self) {
      try await TaipeiZoo(transport: transport).read(.animals)
    }
    #expect(error?.code == .notFound)
    #expect(transport.requests.count == 2)
  }

  // 0.3 of Docs/old-apps.md
  @Test("fewer rows than announced are an error, and half a table is none")
  func incomplete() async throws {
    let transport = StubTransport {
      $0.on(
        "zoo.plants.page",
        respond: .sequence(
          .json(text: #"{"result":{"count":3,"results":[{"F_Name_Ch":"九芎"}]}}"#),
          .json(text: #"{"result":{"count":3,"results":[]}}"#)))
    }
    let error = await #expect(throws: FieldError.self) {
      try await TaipeiZoo(transport: transport).read(.plants)
    }
    #expect(error?.code == .datasetIncomplete)
  }

  // 2.4 of Docs/old-apps.md
  @Test("events are a file at the caller's URL, with the portal's user agent")
  func events() async throws {
    let transport = StubTransport {
      $0.on("zoo.events.file", respond: .text(ZooFixture.events))
    }
    let source = TaipeiZoo(transport: transport, events: address("https://a.tw/events.csv"))
    #expect(source.tables == [.animals, .areas, .plants, .events])
    let delivery = try await source.read(.events)
    #expect(delivery.events.count == 2)
    #expect(delivery.facts.origin == address("https://a.tw/events.csv"))
    #expect(transport.requests[0].fields["User-Agent"]?.hasPrefix("Mozilla") == true)
  }

  @Test("a zoo on data.taipei has no events without a URL, and no excluded tables")
  func tables() async throws {
    var source = TaipeiZoo(transport: StubTransport { _ in })
    #expect(source.tables == [.animals, .areas, .plants])
    source.plants = nil
    #expect(source.tables == [.animals, .areas])
    for table in [ZooTable.plants, .events] {
      let error = await #expect(throws: FieldError.self) { try await source.read(table) }
      #expect(error?.code == .zooNoSuchTable)
    }
  }

  @Test("a request for the zoo stops if its task is canceled")
  func cancelled() async {
    let transport = StubTransport { $0.on("zoo.animals.page", respond: Self.page(0..<1, of: 1)) }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await TaipeiZoo(transport: transport).read(.animals)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests.isEmpty)
  }
}

@Suite("The zoo in files", .timeLimit(.minutes(60)))
struct ZooFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let url = folder.url.appending(path: name)
    try Data(bytes).write(to: url)
    return url
  }

  @Test(
    "a zoo's file is identified by the names of its columns, and a table may have several files")
  func finding() async throws {
    let first = try file("1", ZooFixture.answer([ZooFixture.animal(1, "大貓熊")], count: 2))
    let second = try file(
      "2", ZooFixture.answer([ZooFixture.animal(2, "大貓熊")], count: 2, offset: 1))
    let events = try file("3", Array(ZooFixture.events.utf8))
    let source = try await ZooFile(finding: [events, first, second])
    #expect(source.tables == [.animals, .events])
    let delivery = try await source.read(.animals)
    #expect(delivery.animals.map(\.rowNumber) == [1, 2])
    #expect(Set(delivery.animals.map(\.id)).count == 2)
    #expect(delivery.isComplete)
    #expect(delivery.facts.origin == first)
    #expect(try await source.read(.events).records.count == 2)
    let error = await #expect(throws: FieldError.self) { try await source.read(.plants) }
    #expect(error?.code == .zooNoSuchTable)
    #expect(try await ZooFile([.animals: [first]]).read(.animals).isComplete == false)
  }

  @Test(
    "a file that isn't the zoo's is described by its name and contents",
    arguments: [
      ("<html></html>", "rows.notData"), ("a,b\r\n1,2\r\n", "zoo.unknownTable"), ("", "rows.empty"),
    ])
  func wrong(text: String, code: String) async throws {
    let url = try file("what.json", Array(text.utf8))
    let error = await #expect(throws: FieldError.self) { try await ZooFile(finding: [url]) }
    #expect(error?.code.rawValue == code)
    #expect(error?.message.hasPrefix("what.json: ") == true)
    #expect(error?.operation == "zoo.file")
  }

  @Test("a broken file of the zoo is named, and not the first one of its table")
  func brokenPart() async throws {
    let first = try file("1.json", ZooFixture.answer([ZooFixture.animal(1, "大貓熊")], count: 2))
    let second = try file(
      "2.json",
      ZooFixture.answer([ZooFixture.animal(2, "石虎")], count: 2, offset: 1).dropLast())
    let source = try await ZooFile(finding: [first, second])
    let error = await #expect(throws: FieldError.self) { try await source.read(.animals) }
    #expect(error?.code == .cut)
    #expect(error?.message.hasPrefix("2.json: ") == true)
    #expect(error?.operation == "zoo.file")
  }

  @Test("a file of the zoo may begin with the name of a column")
  func bareText() async throws {
    let bytes = Array("A_Name_Ch,A_Diet\n石虎,肉\n".utf8)
    let animals = try await ZooFile(finding: [file("animals.txt", bytes)]).read(.animals).animals
    #expect(animals.map(\.name) == ["石虎"])
  }

  @Test("a file of the zoo may be CSV in UTF-16, as Excel writes it", arguments: [true, false])
  func wideText(isLittleEndian: Bool) async throws {
    let text = "\u{FEFF}A_Name_Ch\tA_Location\tA_Diet\r\n石虎\t臺灣動物區\t-\r\n大貓熊\r\n"
    let bytes = text.utf16.flatMap { unit in
      let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      return isLittleEndian ? bytes : bytes.reversed()
    }
    let animals = try await ZooFile(finding: [file("animals.txt", bytes)]).read(.animals).animals
    #expect(animals.map(\.name) == ["石虎", "大貓熊"])
    #expect(animals.map(\.locationText) == ["臺灣動物區", nil])
    #expect(animals.map(\.diet) == [nil, nil])
  }

  @Test("a file of the zoo that is missing, is a folder, or is too large is an error")
  func missing() async throws {
    let none = folder.url.appending(path: "none")
    #expect(
      await #expect(throws: FieldError.self) { try await ZooFile(finding: [none]) }?.code == .io)
    #expect(
      await #expect(throws: FieldError.self) {
        try await ZooFile([.areas: [folder.url]]).read(.areas)
      }?
      .code == .io)
    let large = try file("large", Array(ZooFixture.events.utf8))
    #expect(
      await #expect(throws: FieldError.self) {
        try await ZooFile([.events: [large]], byteLimit: 100).read(.events)
      }?.code == .responseTooLarge)
  }
}
