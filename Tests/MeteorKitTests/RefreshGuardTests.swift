import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("A refresh that could lose data")
struct RefreshGuardTests {
  private let url = URL(filePath: "/rows.json")

  private func catalog(
    _ first: String, _ second: StubTransport.Response, guard snapshotGuard: SnapshotGuard = .init()
  ) throws -> (MeteoriteCatalog, StubTransport) {
    let transport = StubTransport {
      $0.on(
        "meteorites.snapshot",
        respond: .sequence(
          .json(text: first, fields: ["ETag": "\"one\"", "Last-Modified": "yesterday"]), second,
          repeatingLast: true))
    }
    let url = try #require(URL(string: "https://example.org/rows.json?a=1"))
    let catalog = MeteoriteCatalog(
      source: Download<Meteorite>(url, transport: transport), storage: .inMemory,
      snapshotGuard: snapshotGuard)
    return (catalog, transport)
  }

  static let html = "<!DOCTYPE html><html><head><title>Moved</title></head></html>"
  static let xml = "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"
  static let announcing = """
    {"meta":{"view":{"columns":[{"fieldName":"id","cachedContents":{"non_null":"45716","null":"0"}},\
    {"fieldName":"name","cachedContents":{"non_null":"45716","null":"0"}}]}},\
    "data":[["1","Aachen"],["2","Aarhus"]]}
    """

  @Test(
    "a refresh that could lose data is rejected with a typed error, and the store is unchanged",
    arguments: [
      ("[]", FieldError.Code.snapshotRefused),
      ("", .emptyBody),
      (html, .notData),
      (xml, .notData),
      (Rows.numbered(1...1_000), .snapshotRefused),
      (Rows.numbered(1...1_400), .snapshotRefused),
      (announcing, .snapshotRefused),
      (String(Rows.numbered(1...1_500).dropLast(2)), .cut),
      ("{\"error\":true,\"message\":\"Invalid app_token specified\"}", .notData),
    ])
  func refused(body: String, code: FieldError.Code) async throws {
    let (catalog, _) = try catalog(Rows.numbered(1...1_500), .json(text: body))
    try await catalog.refresh()
    let before = try await catalog.view()
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh(.now) }
    if body.contains("app_token") {
      #expect(error?.message.contains("Invalid app_token specified") == true)
    } else {
      #expect(error?.code == code)
    }
    let after = try await catalog.view()
    #expect(after.revision == before.revision)
    #expect(after.checkpoint == before.checkpoint)
    #expect(after.count == 1_500)
  }

  @Test("a refresh may lose at most 5 %, or the fraction of the parameter")
  func vanishing() async throws {
    let (strict, _) = try catalog(
      Rows.numbered(1...100), .json(text: Rows.numbered(6...100)))
    try await strict.refresh()
    #expect(try await strict.refresh(.now).removed == 5)
    // Of a small set, up to 10 may be missing.
    let (over, _) = try catalog(Rows.numbered(1...200), .json(text: Rows.numbered(12...200)))
    try await over.refresh()
    await #expect(throws: FieldError.self) { try await over.refresh(.now) }
    let (lenient, _) = try catalog(
      Rows.numbered(1...100), .json(text: Rows.numbered(51...100)),
      guard: SnapshotGuard(maximumRemovedFraction: 0.5))
    try await lenient.refresh()
    #expect(try await lenient.refresh(.now).removed == 50)
  }

  @Test("a refresh removes nothing while a row's ID is unreadable, and does when all are readable")
  func unreadableID() async throws {
    let rows = Rows.numbered(1...100)
    // Of the 97 rows one says no id: it may be that of any of the three that aren't there.
    let unreadable = Rows.numbered(4...100).replacing("\"id\":\"50\"", with: "\"id\":\"\"")
    let (catalog, _) = try catalog(rows, .json(text: unreadable))
    try await catalog.refresh()
    let report = try await catalog.refresh(.now)
    #expect(report.removed == 0)
    #expect(report.failures.map(\.index) == [46])
    #expect(try await catalog.count() == 100)
    #expect(try await catalog.meteorite(50) != nil)
    #expect(try await catalog.meteorite(1) != nil)
    // A row that can't be read and has its id keeps its record, and only that.
    let known = Rows.numbered(4...100).replacing("Stone 50\"", with: "\\ud83d\"")
    let (other, _) = try self.catalog(rows, .json(text: known))
    try await other.refresh()
    let second = try await other.refresh(.now)
    #expect(second.removed == 3)
    #expect(second.failures.count == 1)
    #expect(try await other.meteorite(50)?.name == "Stone 50")
    #expect(try await other.meteorite(1) == nil)
  }

  @Test("a refresh is rejected with exactly 1,000 rows if one more is stored, and not otherwise")
  func pageSize() async throws {
    let (full, _) = try catalog(Rows.numbered(1...1_000), .json(text: Rows.numbered(1...1_000)))
    try await full.refresh()
    #expect(try await full.refresh(.now).unchanged == 1_000)
    let (cut, _) = try catalog(Rows.numbered(1...1_001), .json(text: Rows.numbered(1...1_000)))
    try await cut.refresh()
    let error = await #expect(throws: FieldError.self) { try await cut.refresh(.now) }
    #expect(error?.code == .snapshotRefused)
    #expect(try await cut.count() == 1_001)
    let (less, _) = try catalog(Rows.numbered(1...1_001), .json(text: Rows.numbered(1...999)))
    try await less.refresh()
    #expect(try await less.refresh(.now).removed == 2)
  }

  @Test("a refresh sends the exact validators of the exact URL, and treats 304 as a success")
  func notModified() async throws {
    let (catalog, transport) = try catalog(Rows.all, .status(304))
    try await catalog.refresh()
    let report = try await catalog.refresh(.now)
    #expect(report.outcome == .notModified)
    #expect(report.unchanged == 4)
    let second = transport.requests[1]
    #expect(second.fields["If-None-Match"] == "\"one\"")
    #expect(second.fields["If-Modified-Since"] == "yesterday")
  }

  @Test(
    "a refresh marks what it stores like earlier versions, unless a source reads in its own way")
  func fingerprint() async throws {
    let (catalog, _) = try catalog(Rows.all, .status(304))
    try await catalog.refresh()
    #expect(try await catalog.view().checkpoint?.fingerprint == "meteorites/1")
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "names.txt")
    try Data("Aachen,Hoba".utf8).write(to: file)
    let names = FileRows<Meteorite>(file, fingerprint: "names/1") { bytes in
      let names = String(decoding: bytes, as: UTF8.self).split(separator: ",").enumerated()
      return Batch(
        records: names.map { Meteorite(id: Meteorite.ID(UInt64($0 + 1)), name: String($1)) })
    }
    let other = MeteoriteCatalog(source: names, storage: .inMemory)
    #expect(try await other.refresh().added == 2)
    #expect(try await other.view().checkpoint?.fingerprint == "meteorites/1 names/1")
  }

  @Test("a refresh sends no validators if the store is empty, whatever the checkpoint contains")
  func emptyStoreSendsNone() async throws {
    let (catalog, transport) = try catalog(Rows.all, .json(text: Rows.all))
    try await catalog.refresh()
    try await catalog.eraseAll()
    #expect(try await catalog.count() == 0)
    try await catalog.refresh()
    #expect(transport.requests[1].fields["If-None-Match"] == nil)
    #expect(try await catalog.count() == 4)
  }

  @Test("a refresh is rejected if nothing can be read, and the error has the first row's reason")
  func nothingReadable() async throws {
    let catalog = MeteoriteCatalog(
      source: try FixedSource(deletion: .never, json: "[{\"a\":1},{\"a\":2}]"), storage: .inMemory)
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh() }
    #expect(error?.message.contains("no id") == true)
  }

  @Test("a refresh reports its steps, and the last one has the outcome")
  func progress() async throws {
    let catalog = MeteoriteCatalog(source: try FixedSource(json: Rows.all), storage: .inMemory)
    let steps = catalog.refreshProgress()
    try await catalog.refresh()
    var seen: [RefreshProgress] = []
    for await step in steps {
      seen.append(step)
      if step.outcome != nil { break }
    }
    #expect(seen.map(\.phase) == [.requesting, .reading, .storing, .finished])
    #expect(seen.map(\.fractionCompleted) == seen.map(\.fractionCompleted).sorted())
    guard case .finished(let report)? = seen.last?.outcome else {
      Issue.record("the last step has no report")
      return
    }
    #expect(report.added == 4)
  }

  @Test("a refresh falls back to the next URL, and stops immediately when offline")
  func fallingBack() async throws {
    let transport = StubTransport {
      $0.on(
        "meteorites.snapshot", where: { $0.url.path == "/a" },
        respond: .text(Self.html, status: 404))
      $0.on(
        "meteorites.snapshot", where: { $0.url.path == "/b" }, respond: .json(text: Self.announcing)
      )
      $0.on("meteorites.snapshot", where: { $0.url.path == "/c" }, respond: .json(text: Rows.all))
    }
    let addresses = try ["a", "b", "c"].map {
      try #require(URL(string: "https://example.org/\($0)"))
    }
    let catalog = MeteoriteCatalog(
      sources: Download<Meteorite>.nasa(transport: transport, addresses: addresses),
      storage: .inMemory)
    let report = try await catalog.refresh()
    #expect(report.added == 4)
    #expect(report.origin?.path == "/c")
    let offline = StubTransport { $0.on("meteorites.snapshot", respond: .error(.offline)) }
    let alone = MeteoriteCatalog(
      sources: Download<Meteorite>.nasa(transport: offline, addresses: addresses),
      storage: .inMemory)
    let error = await #expect(throws: FieldError.self) { try await alone.refresh() }
    #expect(error?.code == .offline)
    #expect(offline.requests.count == 1)
  }
}
