import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A cache of assets", .timeLimit(.minutes(60)))
struct AssetCacheTests {
  private let folder: TemporaryFolder
  private let source = PictureSource()
  private let clock = ManualClock()
  private var directory: URL { folder.url.appending(path: "pictures.assets") }

  init() throws { folder = try TemporaryFolder() }

  private func cache(
    inMemory: Bool = false, access: StoreAccess = .readWrite, _ transport: (any Transport)? = nil,
    limits: AssetLimits = AssetLimits()
  ) -> AssetCache {
    AssetCache(
      storage: inMemory ? .inMemory : .directory(folder.url, access: access),
      transport: transport ?? source, clock: clock, limits: limits)
  }

  @Test("a cache returns an asset from the network, then from memory, then from its file")
  func places() async throws {
    let first = cache()
    let fresh = try await first.asset(for: .picture("a"))
    #expect(fresh.data == source.picture("/a"))
    #expect(fresh.origin == .network)
    #expect(fresh.format == .jpeg)
    #expect(fresh.contentType == "image/jpeg")
    #expect(fresh.fetchedAt == clock.now)
    #expect(fresh.file == nil)
    #expect(try await first.asset(for: .picture("a")).origin == .memory)
    first.releaseMemory()
    #expect(try await first.asset(for: .picture("a")).origin == .disk)

    clock.advance(by: .seconds(60))
    let second = cache(ScriptedTransport(ScriptedTransport.error(.offline)))
    let kept = try await second.asset(for: .picture("a"))
    #expect(kept.data == fresh.data)
    #expect(kept.origin == .disk)
    #expect(kept.format == .jpeg)
    #expect(kept.contentType == "image/jpeg")
    #expect(kept.fetchedAt == fresh.fetchedAt)
    #expect(kept.age(at: clock.now) == .seconds(60))
    #expect(try await second.asset(for: .picture("a")).origin == .memory)
    #expect(source.count == 1)
    let report = try await second.report()
    #expect((report.diskHits, report.memoryHits, report.misses, report.downloads) == (1, 1, 0, 0))
  }

  @Test("a cache of assets in memory only works in the same way without files")
  func inMemory() async throws {
    let cache = cache(inMemory: true)
    #expect(try await cache.asset(for: .picture("a")).origin == .network)
    #expect(try await cache.asset(for: .picture("a")).origin == .memory)
    #expect(try await cache.report().diskCount == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test("a cache of assets returns cached assets without a request")
  func cached() async throws {
    let cache = cache()
    #expect(try await cache.cached(.picture("a")) == nil)
    #expect(source.count == 0)
    _ = try await cache.asset(for: .picture("a"))
    clock.advance(by: .seconds(90 * 86_400))
    let old = try await cache.cached(.picture("a"))
    #expect(old?.data == source.picture("/a"))
    #expect(old?.age(at: clock.now) == .seconds(90 * 86_400))
    #expect(source.count == 1)
  }

  @Test("a cache of assets makes the URLs in sources valid")
  func dirtyAddresses() async throws {
    let cache = cache()
    for (text, sent) in [
      (
        " http://pictures.test/Ateles fusciceps/Ateles_Pic01.jpg\n",
        "Ateles%20fusciceps/Ateles_Pic01.jpg"
      ),
      ("http://pictures.test/a%20b.jpg", "a%20b.jpg"),
      ("http://pictures.test//熊貓.jpg", "/%E7%86%8A%E8%B2%93.jpg"),
    ] {
      _ = try await cache.asset(for: AssetRequest(text))
      #expect(source.requests.last?.url.absoluteString == "http://pictures.test/\(sent)")
    }
    let error = #expect(throws: FieldError.self) { try AssetRequest("no picture") }
    #expect(error?.code == .invalidInput)
    for bad in ["ftp://pictures.test/a", "mailto:a@b.c", "data:image/png;base64,AAAA", "a.jpg"] {
      let error = await #expect(throws: FieldError.self) {
        try await cache.asset(for: AssetRequest(address(bad)))
      }
      #expect(error?.code == .invalidInput, "\(bad)")
    }
    #expect(source.count == 3)
  }

  @Test("a cache of assets reads a local file in place, and copies nothing")
  func localFiles() async throws {
    let cache = cache(limits: AssetLimits(largestAsset: 1000))
    let file = folder.url.appending(path: "own photo.jpg")
    try PictureSource.picture("own").write(to: file)
    for _ in 0..<2 {
      let asset = try await cache.asset(for: AssetRequest(file))
      #expect(asset.data == PictureSource.picture("own"))
      #expect(asset.origin == .file)
      #expect(asset.file == file)
      #expect(asset.age(at: clock.now) == nil)
    }
    #expect(try await cache.cached(AssetRequest(file))?.file == file)
    try Data("no picture".utf8).write(to: file)
    let cases: [(URL, FieldError.Code)] = [
      (file, .assetFormat), (folder.url.appending(path: "none.jpg"), .assetMissing),
      (folder.url, .invalidInput),
    ]
    for (url, code) in cases {
      let error = await #expect(throws: FieldError.self) {
        try await cache.asset(for: AssetRequest(url))
      }
      #expect(error?.code == code)
    }
    try PictureSource.picture("own", size: 1001).write(to: file)
    let tooLarge = await #expect(throws: FieldError.self) {
      try await cache.asset(for: AssetRequest(file))
    }
    #expect(tooLarge?.code == .assetTooLarge)
    let report = try await cache.report()
    #expect(report.memoryCount == 0 && report.diskCount == 0)
    #expect(source.count == 0)
  }

  @Test("a cache of assets identifies an asset by its key, or by URL and header fields without one")
  func keys() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a?token=1", key: "../../etc/passwd"))
    _ = try await cache.asset(for: .picture("a?token=2", key: "../../etc/passwd"))
    #expect(source.count == 1)
    var mine = AssetRequest.picture("mine")
    mine.fields["Authorization"] = "Bearer 1"
    var yours = mine
    yours.fields["Authorization"] = "Bearer 2"
    _ = try await cache.asset(for: mine)
    _ = try await cache.asset(for: yours)
    #expect(source.count == 3)
    #expect(source.requests.last?.fields["Authorization"] == "Bearer 2")
    _ = try await cache.asset(for: .picture("a#1"))
    _ = try await cache.asset(for: .picture("a#2"))
    #expect(source.count == 4)
    // A key that looks like an address is none.
    _ = try await cache.asset(for: .picture("b", key: "http://pictures.test/a"))
    #expect(source.count == 5)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.filter { $0.hasSuffix(".asset") }.count == 5)
    #expect(names.allSatisfy { $0.count == 70 || $0 == ".lock" })
    let text = try assetFiles(directory).keys.map {
      String(decoding: try Data(contentsOf: directory.appending(path: $0)), as: UTF8.self)
    }
    #expect(text.allSatisfy { !$0.contains("token=") && !$0.contains("Bearer") })
  }

  @Test("a cache of assets keeps nothing that wasn't requested, and requests it again")
  func refusals() async throws {
    let page = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>"
    let cases: [(ScriptedTransport.Outcome, FieldError.Code)] = [
      (ScriptedTransport.status(200, ["Content-Type": "image/jpeg"], body: page), .assetFormat),
      (ScriptedTransport.status(200, body: "not a picture"), .assetFormat),
      (ScriptedTransport.status(200), .emptyBody), (ScriptedTransport.status(204), .emptyBody),
      (ScriptedTransport.status(304), .status), (ScriptedTransport.status(403), .status),
      (ScriptedTransport.status(404), .notFound), (ScriptedTransport.status(410), .notFound),
      (ScriptedTransport.status(429), .tooManyRequests), (ScriptedTransport.status(500), .status),
      (ScriptedTransport.error(.offline), .offline), (ScriptedTransport.error(.bodyCut), .bodyCut),
      (ScriptedTransport.error(URLError(.badURL)), .transport),
    ]
    for (outcome, code) in cases {
      let transport = ScriptedTransport(outcome)
      let cache = cache(transport)
      for count in 1...2 {
        let error = await #expect(throws: FieldError.self) {
          try await cache.asset(for: .picture("a"))
        }
        #expect(error?.code == code)
        #expect(error?.operation == "assets.fetch" || transport.requests.count == count)
        #expect(transport.requests.count == count)
      }
      let report = try await cache.report()
      #expect(report.memoryCount == 0 && report.diskCount == 0 && report.failures == 2)
    }
    // Whoever takes anything is given the page, and who wants a picture is not given that page.
    let cache = cache(ScriptedTransport(ScriptedTransport.status(200, body: page)))
    let anything = AssetRequest(address("http://pictures.test/a"), accepting: nil)
    #expect(try await cache.asset(for: anything).format == .html)
    #expect(try await cache.cached(anything) != nil)
    #expect(try await cache.cached(.picture("a")) == nil)
    let error = await #expect(throws: FieldError.self) {
      try await cache.asset(for: .picture("a"))
    }
    #expect(error?.code == .assetFormat)
  }

  @Test("a cache of assets accepts assets of up to the limit", arguments: [999, 1000, 1001])
  func largest(size: Int) async throws {
    let cache = cache(PictureSource { _ in size }, limits: AssetLimits(largestAsset: 1000))
    guard size > 1000 else {
      #expect(try await cache.asset(for: .picture("a")).data.count == size)
      return
    }
    let error = await #expect(throws: FieldError.self) {
      try await cache.asset(for: .picture("a"))
    }
    #expect(error?.code == .assetTooLarge)
  }

  @Test(
    "a cache rejects a 100 MB picture, whether its transport enforces limits or not")
  func tooLarge() async throws {
    var bytes = [UInt8](repeating: 7, count: 100 << 20)
    bytes.replaceSubrange(0..<3, with: [0xFF, 0xD8, 0xFF])
    let body = TransportBody.bytes(bytes)
    for keeps in [true, false] {
      let transport = ScriptedTransport { request in
        #expect(request.responseLimit == 16 << 20)
        let answer = TransportResponse(status: 200, body: body)
        return keeps ? try answer.delivered(for: request) : answer
      }
      let cache = cache(transport)
      let error = await #expect(throws: FieldError.self) {
        try await cache.asset(for: .picture("a"))
      }
      #expect(error?.code == .assetTooLarge)
      let report = try await cache.report()
      #expect(report.memoryCount == 0 && report.diskCount == 0)
    }
  }

  @Test("a cache of assets reports the failure of a storage, and works from memory")
  func badPlace() async throws {
    for name in ["", "../x", "a/b"] {
      let cache = AssetCache(
        storage: .directory(folder.url), name: name, transport: source, clock: clock)
      #expect(try await cache.asset(for: .picture("a")).data == source.picture("/a"))
      #expect(try await cache.asset(for: .picture("a")).origin == .memory)
      #expect(try await cache.report().diskFailure?.code == .invalidInput)
      await #expect(throws: FieldError.self) { try await cache.open() }
    }
  }

  @Test("a cache of assets reads and changes nothing if it is read-only")
  func readOnly() async throws {
    _ = try await cache().asset(for: .picture("a"))
    let before = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    let reader = cache(access: .readOnly)
    #expect(try await reader.asset(for: .picture("a")).origin == .disk)
    #expect(try await reader.asset(for: .picture("b")).origin == .network)
    #expect(try await reader.asset(for: .picture("b")).origin == .memory)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == before)
    #expect(try await reader.report().diskCount == 1)
    let error = await #expect(throws: FieldError.self) { try await reader.removeAll() }
    #expect(error?.code == .readOnly)
  }
}
