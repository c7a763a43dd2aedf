internal import CivicKit
internal import FieldCore
internal import FieldFirestore
internal import FieldKit
internal import FieldPortals
internal import Foundation
internal import MeteorKit
internal import MetroKit
internal import WalkFirestore
internal import WalkKit
internal import ZooKit

/// What servers respond, and what files contain.
extension Entry {
  private static let example = URL(filePath: "/h.example")

  static let servers: [Entry] = [
    soda("a response") { $0 },
    soda("a cell") { "[{\":id\":\"row-a\",\"a\":\(quoted($0))}]" },
    soda("a row") { "[{\":id\":\"row-a\",\"a\":\($0)}]" },
    portal("a response") { $0 },
    portal("a name") {
      "{\"name\":\(quoted($0)),\"objectIdField\":\"_id\",\"fields\":[{\"name\":\"_id\",\"type\":\"esriFieldTypeOID\"},{\"name\":\"b\",\"alias\":\(quoted($0)),\"type\":\"esriFieldTypeString\"}],\"features\":[{\"attributes\":{\"_id\":1,\"b\":\(quoted($0))}}],\"success\":true,\"result\":{\"fields\":[{\"id\":\"_id\",\"type\":\"int\"},{\"id\":\"b\",\"type\":\"text\"}],\"records\":[{\"_id\":1,\"b\":\(quoted($0))}]}}"
    },
    Entry(
      "FieldPortals.SODAClient.metadata()", form: "a response",
      wrap: {
        "{\"id\":\"abcd-1234\",\"name\":\(quoted($0)),\"columns\":[{\"fieldName\":\(quoted($0)),\"name\":\(quoted($0)),\"dataTypeName\":\"text\"}],\"a\":\($0)}"
      }
    ) {
      let client = SODAClient(
        try SODADataset("abcd-1234", at: "h.example"), transport: Answer($0), clock: HastyClock())
      _ = try await client.metadata()
    },
    Entry(
      "FieldCore.AssetCache.init(storage:name:transport:clock:limits:refresh:)", form: "a response"
    ) {
      let cache = AssetCache(storage: .inMemory, transport: Answer($0), clock: HastyClock())
      _ = try await cache.asset(for: AssetRequest("https://h.example/a.png"))
    },
    Entry("CivicKit.CivicServer.init(_:transport:)", form: "a response") {
      guard let base = URL(string: "https://h.example/a/") else { return }
      let service = CivicService(baseURL: base, project: $0)
      let directory = CivicDirectory(
        service: service, storage: .inMemory, transport: Answer($0), clock: HastyClock())
      try await directory.refresh()
    },
    Entry(
      "MeteorKit.Download.init(_:transport:fields:deletion:timeout:)",
      form: "a response"
    ) {
      guard let url = URL(string: "https://h.example/a") else { return }
      _ = try await Download<Meteorite>(url, transport: Answer($0)).fetch(RecordRequest())
    },
    Entry(
      "MetroKit.TDXLiveBoard.init(token:transport:base:operatorCode:estimateUnit:network:timeout:limits:)",
      form: "a response",
      wrap: {
        "{\"access_token\":\"a\",\"expires_in\":60,\"LiveBoards\":[{\"StationID\":\(quoted($0)),\"StationName\":{\"Zh_tw\":\(quoted($0))},\"TripHeadSign\":\(quoted($0)),\"EstimateTime\":1,\"UpdateTime\":\(quoted($0))}]}"
      }
    ) {
      let token = TDXToken(clientID: "a", secret: "b", transport: Answer($0))
      let source = TDXLiveBoard(token: token, transport: Answer($0))
      _ = try await source.fetch(RecordRequest())
    },
    Entry(
      "FieldFirestore.FirestoreClient.aggregate(_:over:)",
      "FieldFirestore.FirestoreClient.list(_:pageSize:token:mask:order:)"
    ) {
      let client = FirestoreClient(
        FirestoreConfiguration(project: "p"), transport: Answer("[{}]"), clock: HastyClock())
      _ = try? await client.aggregate([$0: .count()], over: FirestoreQuery("a"))
      let pages = FirestoreClient(
        FirestoreConfiguration(project: "p"), transport: Answer("{}"), clock: HastyClock())
      _ = try await pages.list("a", token: $0, order: $0)
    }.ofProgram,
    Entry(
      "FieldFirestore.FirestoreClient.list(_:pageSize:token:mask:order:)", form: "a response",
      wrap: {
        "{\"documents\":[{\"name\":\(quoted($0)),\"fields\":{\"a\":\($0)}}],\"nextPageToken\":\(quoted($0))}"
      }
    ) {
      let client = FirestoreClient(
        FirestoreConfiguration(project: "p"), transport: Answer($0), clock: HastyClock())
      _ = try await client.list("a")
    },
    Entry("FieldFirestore.FirestoreMirror.document(_:)") {
      let client = FirestoreClient(
        FirestoreConfiguration(project: "p"), transport: Answer("[]"), clock: HastyClock())
      let mirror = FirestoreMirror("a", client: client, storage: .inMemory)
      _ = try await mirror.document($0)
    }.ofProgram,
    Entry(
      "FieldFirestore.StorageClient.upload(_:to:contentType:custom:)",
      "FieldFirestore.StorageClient.init(_:transport:clock:random:)",
      "FieldFirestore.StorageClient.delete(_:)",
      "FieldFirestore.StorageClient.download(_:progress:)"
    ) {
      let client = StorageClient(
        StorageConfiguration(bucket: "b"), transport: Answer("{}"), clock: HastyClock())
      _ = try? await client.upload(Array($0.utf8), to: $0, contentType: $0, custom: [$0: $0])
      _ = try? await client.delete($0)
      _ = try await client.download($0)
    }.ofProgram,
    Entry("FieldFirestore.StorageClient.beginUpload(of:to:contentType:custom:)") {
      var answer = Answer("{}")
      answer.fields = ["X-Goog-Upload-URL": "https://h.example/?upload_id=" + $0]
      let client = StorageClient(
        StorageConfiguration(bucket: "b"), transport: answer, clock: HastyClock())
      let upload = try await client.beginUpload(
        of: .text($0), to: $0, contentType: $0, custom: [$0: $0])
      show(upload)
    }.ofProgram,
    Entry("FieldFirestore.StorageClient.download(_:to:progress:)") { text in
      try await inFolder { folder in
        let answer = Answer("{\"name\":\"a\",\"size\":\"1\",\"md5Hash\":\(quoted(text))}")
        let client = StorageClient(
          StorageConfiguration(bucket: "b"), transport: answer, clock: HastyClock())
        _ = try await client.download(text, to: folder.appending(path: "a"))
      }
    },
    Entry(
      "FieldFirestore.ServiceAccountTokenProvider.init(email:keyID:scopes:transport:endpoint:clock:sign:)"
    ) {
      let provider = ServiceAccountTokenProvider(
        email: $0, keyID: $0, scopes: [$0], transport: Answer($0)
      ) { _ in [1, 2, 3] }
      _ = try await provider.token(replacing: nil)
    },
    diary("a response") { $0 },
    diary("a pet") {
      "[{\"document\":{\"name\":\"projects/p/databases/(default)/documents/pets/b\",\"fields\":{\"name\":{\"stringValue\":\(quoted($0))},\"breed\":{\"stringValue\":\(quoted($0))},\"birth\":{\"stringValue\":\(quoted($0))},\(quoted($0)):{\"stringValue\":\(quoted($0))}},\"createTime\":\"2025-07-22T20:42:19Z\",\"updateTime\":\"2025-07-22T20:42:19Z\"},\"readTime\":\"2025-07-22T20:42:19Z\"}]"
    },
    Entry("CivicKit.CityFeed.init(_:at:id:name:zone:dataSource:)") {
      guard let url = URL(string: "https://h.example/?a=" + $0) else { return }
      use(CityFeed(.news, at: url, id: CityFeed.ID(rawValue: $0), name: $0))
    }.ofProgram,
  ]

  static let files: [Entry] = [
    Entry(
      "FieldCore.FileStore.init(_:access:durability:protection:allowsNetworkVolumes:clock:observer:)"
    ) {
      text in
      try await inFolder { folder in
        let file = folder.appending(path: "a.fieldkit")
        let store = FileStore<Spot>(file)
        var changes = Changes<Spot>()
        changes.upsert(Spot(id: RecordID(rawValue: text), name: text))
        try await store.commit(changes, checkpoint: nil, expecting: nil)
        try await store.close()
        // The same file with a foreign end.
        try (Data(contentsOf: file) + Data(text.utf8)).write(to: file)
        _ = try await StoreFile(file).examine()
        _ = try await StoreFile(file).jsonLines()
        let damaged = FileStore<Spot>(file)
        show(try await damaged.open())
        try await damaged.close()
      }
    }.ofProgram,
    Entry("FieldCore.StoreFile.salvage(to:)", form: "a damaged beginning") { text in
      try await inFile(text) { file in
        _ = try await StoreFile(file).examine()
        _ = try await StoreFile(file).salvage(to: file.appendingPathExtension("salvaged"))
      }
    },
    Entry("MetroKit.MetroNetwork.init(contentsOf:)") { text in
      try await inFile(text) { _ = try MetroNetwork(contentsOf: $0) }
    },
    Entry(
      "MeteorKit.FileRows.init(_:deletion:)",
      "FieldCore.FileRows.init(_:deletion:dataSource:byteLimit:operation:fingerprint:reading:)"
    ) { text in
      try await inFile(text) { _ = try await FileRows<Meteorite>($0).fetch(RecordRequest()) }
    },
    Entry("MetroKit.FileRows.init(_:network:limits:)") { text in
      try await inFile(text) { _ = try await FileRows<Arrival>($0).fetch(RecordRequest()) }
    },
    Entry("ZooKit.ZooFile.init(finding:byteLimit:)", "ZooKit.ZooFile.init(_:byteLimit:)") { text in
      try await inFile(text) {
        _ = try? await ZooFile(finding: [$0])
        _ = try await ZooFile([.animals: [$0]]).read(.animals)
      }
    },
    Entry(
      "CivicKit.CivicTableFiles.read(_:)",
      "CivicKit.CivicDirectory.importTables(in:advancingCursors:)"
    ) { text in
      try await inFile(text, named: "unit.json") { file in
        let folder = file.deletingLastPathComponent()
        _ = try? await CivicTableFiles.read(folder)
        let directory = CivicDirectory(
          storage: .inMemory, transport: Answer(""), clock: HastyClock())
        try await directory.importTables(in: folder)
      }
    },
  ]

  private static func diary(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry {
    Entry(
      "WalkFirestore.FirestoreWalks.init(_:storage:transport:clock:random:)",
      "WalkFirestore.WalkDiary.init(_:clock:rules:recording:conditions:photoLimits:random:)",
      "WalkFirestore.WalkDiary.init(storage:transport:backend:clock:recording:)", form: form,
      wrap: wrap
    ) {
      let configuration = WalkFirestoreConfiguration(FirestoreConfiguration(project: "p"))
      let walks = FirestoreWalks(
        configuration, storage: .inMemory, transport: Answer($0), clock: HastyClock())
      _ = try? await walks.refresh(.now)
      _ = try await walks.originalDiary()
    }
  }

  private static func soda(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry {
    Entry(
      "FieldPortals.SODAClient.init(_:transport:token:clock:patience:timeout:)",
      "FieldPortals.SODATable.init(_:key:where:select:storage:transport:token:clock:policy:deletion:snapshotGuard:options:)",
      "FieldPortals.SODATable.init(client:key:where:select:storage:clock:policy:deletion:snapshotGuard:options:)",
      form: form, wrap: wrap
    ) {
      let client = SODAClient(
        try SODADataset("abcd-1234", at: "h.example"), transport: Answer($0), clock: HastyClock())
      for try await page in client.pages() {
        use(page.rows)
        break
      }
    }
  }

  private struct PortalRow: CatalogRecord {
    var id: Int
    var b: String
    enum CodingKeys: String, CodingKey { case id = "_id", b }
  }

  private static func portal(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry
  {
    Entry(
      "FieldPortals.PortalRows.init(arcGIS:transport:token:clock:dataSource:options:operation:)",
      "FieldPortals.PortalRows.init(ckan:at:transport:token:clock:dataSource:options:operation:)",
      "FieldPortals.PortalRows.init(openDataSoft:at:transport:token:clock:dataSource:options:operation:)",
      "FieldPortals.PortalRows.init(socrata:key:transport:token:clock:dataSource:options:operation:)",
      "FieldPortals.PortalDataset.describe(over:token:clock:)",
      "FieldPortals.PortalCatalog.search(_:from:count:over:token:clock:)",
      "FieldPortals.PortalDescription.rows(of:transport:token:clock:options:operation:)",
      form: form, wrap: wrap
    ) {
      let url = URL(filePath: "/h.example/FeatureServer/0")
      _ = try? await PortalRows<PortalRow>(arcGIS: url, transport: Answer($0), clock: HastyClock())
        .fetch(RecordRequest())
      let dataset = try SODADataset("abcd-1234", at: "h.example")
      _ = try? await PortalRows<PortalRow>(
        socrata: dataset, transport: Answer($0), clock: HastyClock()
      ).fetch(RecordRequest())
      _ = try? await PortalRows<PortalRow>(
        openDataSoft: "a", at: example, transport: Answer($0), clock: HastyClock()
      ).fetch(RecordRequest())
      if let root = URL(string: "https://h.example") {
        for family in [PortalFamily.socrata, .ckan, .openDataSoft] {
          let catalog = PortalCatalog(family, at: root)
          if let page = try? await catalog.search("a", over: Answer($0), clock: HastyClock()) {
            use(page)
          }
        }
      }
      for path in [
        "FeatureServer/0", "datasets/a::b", "dataset/a", "explore/dataset/a", "d/abcd-1234",
      ] {
        guard let address = URL(string: "https://h.example/\(path)") else { continue }
        let page = try PortalDataset(address)
        if let known = try? await page.describe(over: Answer($0), clock: HastyClock()) {
          use(known)
          _ = try? await known.rows(of: PortalRow.self, transport: Answer($0), clock: HastyClock())
            .fetch(RecordRequest())
        }
      }
      _ = try await PortalRows<PortalRow>(
        ckan: "a", at: example, transport: Answer($0), clock: HastyClock()
      ).fetch(RecordRequest())
    }
  }
}

/// Calls a closure with a folder that is removed afterwards.
func inFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "growth-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}

/// Calls a closure with a file that contains a text and is removed afterwards.
func inFile(_ text: String, named name: String = "a.json", _ body: (URL) async throws -> Void)
  async throws
{
  try await inFolder { folder in
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    try await body(file)
  }
}
