import FieldFakes
import FieldKit
import Foundation

#if Database
  import SharedStore
#endif

/// The one `Field` of the server, over a folder and the portals on the loopback interface.
struct AtlasField: Sendable {
  let field: Field
  let feeds: CityFeeds
  let clock: ManualClock
  let control: NetworkControl
  let requests: Locked<Int>
  let folder: URL
  let storage: Storage
  /// The walk to replay.
  let track: WalkTrack
  /// The host of the Socrata portal, and the transport that reaches it.
  let portal: String
  let portalTransport: any Transport
  /// The transport for addresses that visitors type in.
  let visitorTransport: any Transport
  private let server: LoopbackServer

  // atlas:begin shell
  /// Creates the five kits over one folder and one transport, each with the address of its portal.
  init(folder: URL, options: AtlasOptions) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder
    control = NetworkControl(folder: folder)
    requests = Locked(0)
    track = try options.track.map { try WalkTrack(contentsOf: $0) } ?? .madeUp
    server = try Self.portals(control: control, capture: options.capture)
    let storage = try Self.storage(folder.appending(path: "store"), database: options.database)
    self.storage = storage
    let transport = SwitchedTransport(
      base: URLSessionTransport(), control: control, requests: requests)
    let retrying = transport.retrying(RetryPolicy(attempts: 2)).coalescing()
    let local = RedirectedTransport(base: transport, server: server.url)
    portal = options.portal ?? "portal.example"
    portalTransport = options.portal == nil ? local : transport
    visitorTransport = PublicTransport(
      base: transport, examples: ExampleTransport(base: transport, server: server.url))
    // The walker's clock runs with the replayed track; everything else uses the system's.
    clock = ManualClock(now: Date())
    feeds = CityFeeds(
      storage: storage, transport: retrying,
      feeds: [
        CityFeed(.news, at: server.url.appending(path: "news.xml"), id: "atlas.news"),
        CityFeed(
          .activities, at: server.url.appending(path: "activities.xml"), id: "atlas.activities"),
      ])
    let city = CivicService(
      baseURL: server.url.appending(path: "controller/service"),
      project: "project_1450347754")
    field = Field(
      zoo: Zoo(
        sources: TaipeiZoo(TaipeiOpenData(transport: retrying, base: server.url)).sources,
        storage: storage,
        transport: local),
      metro: Metro(
        source: MetroStationFeed(
          transport: retrying, url: server.url.appending(path: "stations.json")),
        storage: storage),
      meteorites: MeteoriteCatalog(
        source: Download<Meteorite>(
          server.url.appending(path: "meteorites.json"), transport: retrying),
        storage: storage),
      walks: WalkDiary(
        storage: storage, transport: transport, clock: clock,
        rules: PetRules(required: [.name, .breed])),
      civic: CivicDirectory(
        source: CivicServer(city, transport: retrying), repository: storage.store("civic"),
        feeds: feeds,
        pictures: AssetCache(storage: storage, name: "civic", transport: retrying)))
  }
  // atlas:end shell

  /// Returns the storage of all kits: files, or a database that several servers share.
  private static func storage(_ folder: URL, database: String?) throws -> Storage {
    guard let database else { return .directory(folder) }
    #if Database
      return Storage(SharedStorage(database, namespace: "atlas", files: .directory(folder)))
    #else
      throw FieldError(
        .invalidInput, "This build can't use a database. Build with --traits Database.")
    #endif
  }

  /// Closes the kits and stops the portals.
  func close() async {
    try? await field.close()
    await server.stop()
  }

  /// The lines of the network with trains that run by the clock, and trains that stand still for ever.
  static func metroFeed(clock: any FieldClock) -> FakeMetroFeed {
    let network = MetroNetwork.taipei
    // Each line has its own times, so that trains enter at every moment.
    let lines = network.lines.enumerated().map { number, line in
      FakeMetroFeed.Line(
        id: line.id.rawValue,
        stations: line.trunk.compactMap { code in
          network.station(code: code).map { .init($0.name, $0.englishName, code.rawValue) }
        }, runTime: .seconds(97 + 6 * number),
        headway: .seconds(139 + 11 * number))
    }
    let ghosts: [FakeMetroFeed.FrozenTrain] = [
      .init(station: "中山國中站", destination: "南港展覽館站", date: clock.now.addingTimeInterval(-24_087)),
      .init(
        station: "新埔民生站", destination: "新北產業園區站", date: clock.now.addingTimeInterval(-45_338_561)),
      .init(station: "小碧潭站", destination: "七張站", date: clock.now.addingTimeInterval(-1_260)),
      .init(station: "北投站", destination: "新北投站", date: clock.now.addingTimeInterval(-264_000)),
    ]
    return FakeMetroFeed(
      clock: clock, lines: lines, frozen: ghosts, interval: .seconds(20))
  }

  private static func portals(control: NetworkControl, capture: URL?) throws -> LoopbackServer {
    let pictures = Resources.folder("Data").appending(path: "zoo")
    let portals = Portals(
      control: control, metro: metroFeed(clock: SystemClock.system),
      zoo: ZooData.portal(pictures: pictures), city: try CityData.service(),
      meteorites: MeteoritePortal(capture: capture), socrata: SocrataPortal(),
      examples: ExamplePortals())
    return try LoopbackServer(serving: portals) { _ in
      control.mode == .slow
        ? .slow(bytes: 120_000, every: .milliseconds(120)) : .whole
    }
  }
}

/// The files that belong to the package.
enum Resources {
  static func folder(_ name: String) -> URL {
    (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appending(path: name)
  }

  /// The folder of these sources, as it was when the program was built.
  static let sources = URL(filePath: #filePath).deletingLastPathComponent()
}
