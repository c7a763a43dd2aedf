import FieldFakes
import FieldKit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AtlasServer

/// The database that `Scripts/Checks/shared-store.sh` starts.
let database = ProcessInfo.processInfo.environment["FIELDKIT_DATABASE_URL"]

@Suite(.serialized) struct AtlasServerTests {
  /// Runs a test against the routes over a new folder.
  private func serving(
    _ options: AtlasOptions = AtlasOptions(),
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await AtlasServer(
      folder: folder, options: options,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await server.application(hostname: "127.0.0.1", port: 0).test(.router) { client in
      try await body(client)
    }
    await server.close()
  }

  @Test("The page has a content security policy without inline scripts")
  func page() async throws {
    try await serving { client in
      try await client.execute(uri: "/", method: .get) { response in
        #expect(response.status == .ok)
        let policy = response.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("default-src 'none'"))
        #expect(!policy.contains("unsafe-inline"))
        #expect(!String(buffer: response.body).contains("onclick="))
      }
    }
  }

  @Test("A write without the page's header, or from another site, is refused")
  func writes() async throws {
    try await serving { client in
      try await client.execute(uri: "/api/refresh/zoo", method: .post) { response in
        #expect(response.status == .forbidden)
      }
      try await client.execute(
        uri: "/api/refresh/zoo", method: .post,
        headers: [.xAtlas: "1", .secFetchSite: "cross-site"]
      ) { response in
        #expect(response.status == .forbidden)
      }
    }
  }

  @Test(
    "A refused refresh names its code, and the zoo keeps its animals",
    arguments: [
      NetworkMode.offline, .html, .truncated, .empty, .error500, .lying,
    ])
  func faults(mode: NetworkMode) async throws {
    try await serving { client in
      let page: HTTPFields = [.xAtlas: "1"]
      try await client.execute(uri: "/api/refresh/zoo", method: .post, headers: page) { response in
        let report = try JSONDecoder().decode(RefreshPayload.self, from: response.body)
        #expect(report.failure == nil)
      }
      try await client.execute(uri: "/api/network/\(mode.rawValue)", method: .post, headers: page)
      try await client.execute(uri: "/api/refresh/zoo", method: .post, headers: page) { response in
        let report = try JSONDecoder().decode(RefreshPayload.self, from: response.body)
        #expect(report.failure?.code.contains(".") == true)
      }
      try await client.execute(uri: "/api/zoo/wall?text=panda", method: .get) { response in
        let wall = try JSONDecoder().decode(ZooPayload.self, from: response.body)
        #expect(wall.rows.map(\.name) == ["大貓熊"])
      }
    }
  }

  @Test("A failure has a title, a sentence, and advice in each language of the page")
  func words() {
    let failure = FailurePayload(FieldError(.offline, "The host can't be reached."))
    #expect(failure.message == "The host can't be reached.")
    #expect(failure.words["en"]?.title == "No Connection")
    #expect(failure.words["zh-Hant"]?.reason == "裝置目前離線，或是無法連上伺服器。")
    #expect(failure.words["ko"]?.advice == "인터넷 연결을 확인한 다음 다시 시도해 주세요.")
  }

  @Test("Any dataset of a portal is synced page by page, interrupted, and resumed")
  func socrata() async throws {
    try await serving { client in
      let page: HTTPFields = [.xAtlas: "1"]
      func status(until isDone: (SocrataPayload) -> Bool) async throws -> SocrataPayload {
        while true {
          let payload = try await client.execute(uri: "/api/socrata/abcd-1234", method: .get) {
            try JSONDecoder().decode(SocrataPayload.self, from: $0.body)
          }
          if isDone(payload) || payload.failure != nil { return payload }
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      try await client.execute(uri: "/api/socrata/nonsense", method: .get) {
        #expect($0.status == .badRequest)
      }
      try await client.execute(uri: "/api/socrata/abcd-1234/sync", method: .post, headers: page) {
        #expect($0.status == .accepted)
      }
      _ = try await status { $0.stored >= 3_000 }
      try await client.execute(
        uri: "/api/socrata/abcd-1234/interrupt", method: .post, headers: page)
      let half = try await status { $0.state != "running" }
      #expect(half.state == "interrupted")
      #expect((3_000..<20_000).contains(half.stored) && half.stored % 1_000 == 0)
      try await client.execute(uri: "/api/socrata/abcd-1234/sync", method: .post, headers: page)
      let whole = try await status { $0.state != "running" }
      #expect(whole.state == "done" && whole.stored == SocrataPortal.rowCount)
      #expect(whole.rows.first?.isEmpty == false)
      // The rows that were stored aren't fetched again.
      #expect(whole.received <= SocrataPortal.rowCount - half.stored)
    }
  }

  #if Database
    @Test(
      "Two servers on one database see each other's commits and photos",
      .enabled(if: database != nil, "FIELDKIT_DATABASE_URL isn't set"))
    func sharedDatabase() async throws {
      var options = AtlasOptions()
      options.database = database
      try await serving(options) { [options] left in
        try await serving(options) { right in
          let photo = ByteBuffer(
            bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 64))
          try await left.execute(
            uri: "/api/zoo/sightings?name=Owl", method: .post, headers: [.xAtlas: "1"], body: photo
          ) { #expect($0.status == .created) }
          let rows = try await right.execute(uri: "/api/zoo/wall", method: .get) {
            try JSONDecoder().decode(ZooPayload.self, from: $0.body).rows
          }
          let owl = try #require(rows.first { $0.name == "Owl" })
          try await right.execute(uri: "/api/zoo/picture/\(owl.sequence)", method: .get) {
            #expect($0.body == photo)
          }
        }
      }
    }
  #endif

  @Test("A route says how long it takes, and an unknown station is the caller's error")
  func route() async throws {
    try await serving { client in
      try await client.execute(uri: "/api/metro/route?from=R28&to=BR01", method: .get) { response in
        let route = try JSONDecoder().decode(MetroRoutePayload.self, from: response.body)
        #expect(route.stations.first == "淡水")
        #expect(route.seconds > 1_800)
      }
      try await client.execute(uri: "/api/metro/route?from=Atlantis&to=R28", method: .get) {
        #expect($0.status == .badRequest)
      }
    }
  }

  @Test("A sighting is stored with its photo")
  func sighting() async throws {
    try await serving { client in
      try await client.execute(
        uri: "/api/zoo/sightings?name=Owl", method: .post, headers: [.xAtlas: "1"],
        body: ByteBuffer(bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 64))
      ) { response in
        #expect(response.status == .created)
      }
    }
  }

  @Test(
    "A page that points its own name at this machine gets nothing, and changes nothing",
    arguments: [
      "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "[evil]", "",
    ])
  func rebinding(host: String) async throws {
    try await serving { client in
      for (uri, method) in [
        ("/", HTTPRequest.Method.get), ("/api/zoo/wall", .get), ("/api/kill", .post),
        ("/api/network/offline", .post), ("/api/zoo/sightings", .delete),
      ] {
        try await client.execute(
          uri: uri, method: method, headers: [.xAtlas: "1", .hostField: host]
        ) { response in
          #expect(response.status == .misdirectedRequest, "\(method) \(uri)")
        }
      }
      // The server is still there, and still online.
      try await client.execute(uri: "/api/refresh/zoo", method: .post, headers: [.xAtlas: "1"]) {
        let report = try JSONDecoder().decode(RefreshPayload.self, from: $0.body)
        #expect(report.failure == nil)
      }
    }
  }

  @Test("The server accepts names of the loopback interface and those that it was given")
  func hosts() {
    let site = Site(listeningOn: "192.168.0.7", hosts: ["Atlas.example", "fe80::1"])
    for host in [
      "localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.9.9.9", "192.168.0.7", "[::1]:8080",
      "[fe80::1]", "atlas.example:443",
    ] {
      #expect(site.accepts(authority: host), "\(host)")
    }
    let refused = [
      "", ":80", "localhost:", "localhost:80:80", "localhost:99999", "localhost:+1", "example",
      "1.2.3", "1.2.3.4.5", "127.0.0.256", "127.0.0.+1", "[::1", "::1]", "[::1]x", "[evil]",
      "[localhost]", "a.localhost", "localhost.",
    ]
    for host in refused + ["10.0.0.1", "[fe80::2]"] {
      #expect(!site.accepts(authority: host), "\(host)")
    }
    // A server that listens on all addresses can't know them.
    let open = Site(listeningOn: "0.0.0.0", hosts: [])
    #expect(open.accepts(authority: "10.0.0.1:8080") && open.accepts(authority: "[fe80::2]"))
    for host in refused + ["evil.example"] {
      #expect(!open.accepts(authority: host), "\(host)")
    }
  }

  @Test("A change that a page of another origin sends is refused, whatever its other headers say")
  func origins() async throws {
    try await serving { client in
      for origin in ["http://evil.example", "null", "http://localhost:1"] {
        try await client.execute(
          uri: "/api/network/offline", method: .post,
          headers: [.xAtlas: "1", .origin: origin, .secFetchSite: "same-origin"]
        ) { response in
          #expect(response.status == .forbidden, "\(origin)")
        }
      }
    }
  }

  @Test("Photos of 5 and 20 MB are stored, and one of more than 32 MiB is refused with the limit")
  func photoSizes() async throws {
    try await serving { client in
      func photo(_ size: Int) -> ByteBuffer {
        ByteBuffer(bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: size - 4))
      }
      for size in [5_000_000, 20_000_000] {
        try await client.execute(
          uri: "/api/zoo/sightings?name=Owl", method: .post, headers: [.xAtlas: "1"],
          body: photo(size)
        ) { #expect($0.status == .created) }
      }
      try await client.execute(
        uri: "/api/zoo/sightings?name=Owl", method: .post, headers: [.xAtlas: "1"],
        body: photo(32 << 20 + 1)
      ) {
        #expect($0.status == .contentTooLarge)
        #expect(String(buffer: $0.body).contains("32 MiB"))
      }
    }
  }

  @Test("A picture that would take gigabytes to show is refused before anything decodes it")
  func bombs() async throws {
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0]
    try await serving { client in
      try await client.execute(
        uri: "/api/zoo/sightings?name=Bomb", method: .post, headers: [.xAtlas: "1"],
        body: ByteBuffer(bytes: png)
      ) {
        #expect($0.status == .unprocessableContent)
        #expect(String(buffer: $0.body).contains("60000 × 60000"))
      }
    }
    let jpeg: [UInt8] =
      [
        0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC2, 0, 11, 8, 0xEA, 0x60, 0xEA, 0x60, 1, 1, 17,
        0,
      ]
    let gif =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 0x60, 0xEA, 0x60, 0xEA, 0]
    let webp =
      Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8)
      + [10, 0, 0, 0, 0, 0, 0, 0, 0x5F, 0xEA, 0, 0x5F, 0xEA, 0]
    let heic =
      [0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0, 0, 0, 0, 20] + Array("ispe".utf8)
      + [0, 0, 0, 0, 0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]
    let tiff: [UInt8] =
      [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 2, 0, 0, 1, 4, 0, 1, 0, 0, 0, 0x60, 0xEA, 0, 0]
      + [1, 1, 4, 0, 1, 0, 0, 0, 0x60, 0xEA, 0, 0, 0, 0, 0, 0]
    let bomb = PictureSize(width: 60_000, height: 60_000)
    for bytes in [png, jpeg, gif, webp, heic, tiff] {
      #expect(PictureSize.largest(in: Data(bytes)) == bomb, "\(bytes.prefix(12))")
      // A header that is cut off anywhere ends nothing.
      for count in bytes.indices { _ = PictureSize.largest(in: Data(bytes.prefix(count))) }
    }
    #expect(!bomb.isReasonable && PictureSize(width: 12_000, height: 8_000).isReasonable)
  }

  @Test("The code behind each view is found by its marks", arguments: Excerpts.views)
  func excerpts(view: String) throws {
    let excerpts = try Excerpts.excerpts(of: view)
    #expect(!excerpts.isEmpty)
    #expect(excerpts.allSatisfy { !$0.code.contains("atlas:") && !$0.code.isEmpty })
  }

  @Test("A recorded track is walked at its own pace, and a short one is refused")
  func track() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).gpx")
    defer { try? FileManager.default.removeItem(at: file) }
    func write(_ count: Int, more: String = "") throws {
      let points = (0..<count).map { number in
        let seconds = number * 7
        let time =
          "2026-05-01T08:\(10 + seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)Z"
        return
          "<trkpt lat=\"46.\(43_000 + number)\" lon=\"13.74\"><ele>900</ele><time>\(time)</time>\(more)</trkpt>"
      }
      let document = "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
      try Data(document.utf8).write(to: file)
    }
    try write(130)
    let track = try WalkTrack(contentsOf: file)
    #expect(track.isRecorded && track.steps.count == 130)
    #expect(track.steps.dropFirst().allSatisfy { $0.wait == 7 })
    // The file says nothing about accuracy, so a few fixes are like a receiver's.
    #expect(track.steps.count { $0.accuracy > 50 || $0.lag > 10 } == 4)
    try write(130, more: "<extensions><hAcc>4.5</hAcc></extensions>")
    #expect(try WalkTrack(contentsOf: file).steps.allSatisfy { $0.accuracy == 4.5 && $0.lag == 0 })
    #expect(track.box[1] < 46.43 && track.box[3] > 46.43129)
    try write(100)
    #expect(throws: FieldError.self) { try WalkTrack(contentsOf: file) }
  }

  @Test("A walk that is restored after a kill has its track and its rejected fixes")
  func restoredWalk() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = ManualClock(now: Date())
    let steps = [5.0, 5, 420, 5, 5].enumerated().map { number, accuracy in
      WalkTrack.Step(
        latitude: 25 + Double(number) / 10_000, longitude: 121.5, elevation: 10, accuracy: accuracy)
    }
    func diary() -> WalkDiary {
      WalkDiary(
        storage: .directory(folder.appending(path: "store")), transport: URLSessionTransport(),
        clock: clock, rules: PetRules(required: []))
    }
    // At this pace, each `play()` takes one step.
    func replay(_ diary: WalkDiary) -> WalkReplay {
      WalkReplay(
        diary: diary, clock: clock, hub: Hub(),
        track: WalkTrack(steps: steps, box: [121, 24, 122, 26], isRecorded: true), folder: folder,
        pace: .seconds(3_600))
    }
    let old = diary()
    try await old.register(PetRegistration(name: "Tori"))
    let killed = replay(old)
    for step in 1...4 {
      try await killed.play()
      while await killed.all.state.step < step { try await Task.sleep(for: .milliseconds(1)) }
      try await killed.pause()
    }
    let drawn = await killed.all
    #expect(drawn.places.count == 3)
    try await old.close()

    let new = diary()
    let restored = replay(new)
    try await restored.prepare()
    let all = await restored.all
    #expect(all.places == drawn.places)
    #expect(all.refusals.map(\.reason) == ["inaccurate"])
    #expect(all.state.phase == "paused" && all.state.step == 4)
    try await new.close()
  }

  @Test("The health check fails until every kit has been read")
  func health() async throws {
    // The tasks that read the kits don't run here.
    try await serving { client in
      try await client.execute(uri: "/health", method: .get) { response in
        #expect(response.status == .serviceUnavailable)
      }
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let world = try await World(
      atlas: AtlasField(folder: folder, options: AtlasOptions()),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    for kit in ["city", "meteorites", "metro", "walks", "zoo"] {
      #expect(!world.isReady)
      world.take(InventoryItem(kit: kit, count: 0, checksum: ""))
    }
    #expect(world.isReady)
    await world.atlas.close()
  }

  @Test("The made-up meteorites have the shape of the real table")
  func meteorites() async throws {
    let rows = try Batch<Meteorite>(reading: SyntheticMeteorites.json()).records
    #expect(rows.count == 45_716)
    #expect(rows.count { $0.hasPlausiblePosition } == 32_186)
  }
}
