import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport

/// A little city hall: a server with its tables, and a directory that is synchronized with it.
struct CivicFixture {
  static let now = Date(timeIntervalSince1970: 1_490_000_000)

  let clock = ManualClock(now: Self.now)
  let server: FakeCivicService
  let storage: Storage
  let directory: CivicDirectory

  init(
    storage: Storage = .inMemory, isFilled: Bool = true, options: CivicOptions = CivicOptions()
  ) throws {
    server = FakeCivicService(clock: clock)
    if isFilled { try Self.fill(server) }
    self.storage = storage
    directory = Self.directory(of: server, storage: storage, clock: clock, options: options)
  }

  static func directory(
    of server: FakeCivicService, storage: Storage, clock: any FieldClock,
    transport: (any Transport)? = nil, options: CivicOptions = CivicOptions()
  ) -> CivicDirectory {
    let transport = transport ?? server
    return CivicDirectory(
      source: CivicServer(
        CivicService(
          baseURL: server.baseURL, mediaURL: server.mediaURL, project: server.project),
        transport: transport),
      repository: storage.store("civic"),
      feeds: CityFeeds(storage: storage, transport: transport, clock: clock, feeds: []),
      pictures: AssetCache(storage: storage, name: "civic", transport: transport, clock: clock),
      clock: clock, options: options)
  }

  /// What the store has, with its checkpoint.
  func snapshot() async throws -> Snapshot<CivicRecord> {
    try await storage.store("civic", of: CivicRecord.self).snapshot()
  }

  static func fill(_ server: FakeCivicService) throws {
    let time = 1_480_000_000
    for (id, name, parent, details) in [
      ("u1", "市民服務台", "0", "解答社會福利與各項申辦"), ("u2", "社會局", "u1", "社會救助"),
      ("u3", "臺南１樓廁所", "u1", "null"), ("u4", "社會福利科", "u2", "福利"),
      ("u5", "兒童福利科", "gone", " "),
    ] {
      try server.put(
        "administrativeUnit",
        """
        {"unitId":"\(id)","name":"\(name)","parentUnitId":"\(parent)","description":"\(details)",
         "tel":"06-2991111#8492 / 06-6322231#5026","fax":"null","x":10,"y":20,
         "fieldId":"field_1450776651","keyword":"null","lastUpdateTime":\(time)}
        """)
    }
    for (id, name) in [("c1", "府本部"), ("c2", "補助資訊"), ("c3", "廁所"), ("c4", "商店")] {
      try server.put(
        "administrativeUnitCategory",
        #"{"categoryId":"\#(id)","name":"\#(name)","iconName":"\#(id).png","lastUpdateTime":\#(time)}"#
      )
    }
    for (unit, category) in [("u1", "c1"), ("u2", "c1"), ("u3", "c3"), ("u4", "c1"), ("u4", "c2")] {
      try server.put(
        "administrativeUnitInCategory",
        #"{"unitId":"\#(unit)","categoryId":"\#(category)","lastUpdateTime":\#(time)}"#)
    }
    for (id, text, rank) in [("k1", "局處導覽分類", 1), ("k2", "便民服務分類", 2), ("k3", "市府設施", 3)] {
      try server.put(
        "keyword",
        #"{"keywordId":"\#(id)","keyword":"\#(text)","rank":\#(rank),"lastUpdateTime":\#(time)}"#)
    }
    for (object, keyword) in [("c1", "k1"), ("c2", "k2"), ("c3", "k3"), ("c4", "k3"), ("u3", "k3")]
    {
      try server.put(
        "inKeyword", #"{"id":"\#(object)","keywordId":"\#(keyword)","lastUpdateTime":\#(time)}"#)
    }
    try server.put(
      "edm",
      #"{"edmId":"e1","edmName":"花燈","edmURL":"http://example.tw/a","edmImage":"e1.png","edmEndDay":"2017-03-20","lastUpdateTime":\#(time)}"#
    )
    try server.put(
      "edm",
      #"{"edmId":"e2","edmName":"社會企業","edmImage":"e2.png","edmEndDay":"2017-03-19","lastUpdateTime":\#(time)}"#
    )
    try server.put(
      "mobileApp",
      #"{"appId":"a1","appName":"大台南公車","appURL":"tms.tw.governmentcase.TainanBus&hl=zh_TW","appIOSUrl":"itms://itunes.apple.com/tw/app/x/id1","appImage":"a1.png","lastUpdateTime":\#(time)}"#
    )
  }

  /// A tiny picture.
  static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52]
    + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89]
}

/// The captured tables of the old app.
enum CivicCapture {
  static let folder = SharedData.url("civic")
  static let isThere = SharedData.isThere

  static func directory() async throws -> CivicDirectory {
    let directory = CivicDirectory(
      storage: .inMemory, transport: FakeCivicService(),
      clock: ManualClock(now: CivicFixture.now))
    try await directory.importTables(in: folder)
    return directory
  }
}
