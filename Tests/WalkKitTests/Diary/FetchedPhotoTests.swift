import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("Portraits and photos on servers")
struct FetchedPhotoTests {
  /// What the old app left: a pet and a walk whose pictures have addresses.
  private static let document = Data(
    """
    {"Pets": [{"name": "mesh", "profileURL": "https://example.org/o/mesh?alt=media&token=a",
      "walks": [{"date": "2020-02-14 19:18:00", "duration": 3209,
        "images": ["https://example.org/o/0?token=b", "https://example.org/1.jpg"]}]}]}
    """.utf8)

  /// A server of pictures, each of this many bytes.
  private static func server(byteCount: Int = 100) -> StubTransport {
    StubTransport { stubs in
      stubs.on("assets.fetch") { request in
        TransportResponse(
          status: 200, url: request.url, body: .bytes(Array(picture(request.url, byteCount))))
      }
    }
  }

  private static func picture(_ url: URL, _ byteCount: Int = 100) -> Data {
    Data([0xFF, 0xD8, 0xFF] + url.path.utf8) + Data(count: byteCount - 3 - url.path.utf8.count)
  }

  private func pictures(of diary: WalkDiary) async throws -> [Data?] {
    let pet = try #require(try await diary.pets().first)
    let walk = try #require(try await diary.walks(of: pet.id).walks.first)
    var pictures = [try await diary.portrait(of: pet.id)]
    for await photo in diary.photos(of: walk) { pictures.append(try photo.data.get()) }
    return pictures
  }

  @Test("portraits and photos are requested once: not at a second read, nor after a restart")
  func requests() async throws {
    let folder = try TemporaryFolder()
    let server = Self.server()
    let diary = WalkDiary(storage: .directory(folder.url), transport: server)
    try await diary.add(WalkImport(reading: Self.document))
    #expect(server.requests.isEmpty)
    let expected = ["o/mesh", "o/0", "1.jpg"].map {
      Self.picture(address("https://example.org/\($0)"))
    }
    #expect(try await pictures(of: diary) == expected)
    #expect(server.requests.count == 3)
    #expect(try await pictures(of: diary) == expected)
    // The tokens of the old app's server change, and the pictures do not.
    let renewed = WalkPhoto(id: "x", url: address("https://example.org/o/0?token=c"))
    #expect(try await diary.photo(renewed) == expected[1])
    #expect(server.requests.count == 3)
    try await diary.close()

    let offline = StubTransport { _ in }
    let again = WalkDiary(storage: .directory(folder.url), transport: offline)
    #expect(try await pictures(of: again) == expected)
    #expect(offline.requests.isEmpty)
    try await again.close()
  }

  @Test("portraits and photos are rejected from one byte above the diary's limit, and not kept")
  func limit() async throws {
    let photo = WalkPhoto(id: "x", url: address("https://example.org/1.jpg"))
    for byteCount in [100, 101] {
      let server = Self.server(byteCount: byteCount)
      let diary = WalkDiary(
        storage: .inMemory, transport: server, photoLimits: AssetLimits(largestAsset: 100))
      for _ in 0..<2 {
        let error = await code { _ = try await diary.photo(photo) }
        #expect(error == (byteCount > 100 ? .assetTooLarge : nil))
      }
      #expect(server.requests.map(\.responseLimit) == (byteCount > 100 ? [100, 100] : [100]))
    }
  }
}
