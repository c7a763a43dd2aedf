import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The zoo's pictures", .timeLimit(.minutes(60)))
struct PictureTests {
  /// An animal with pictures 1, 3 and 4, of which the last has no address.
  private static let animal = Animal(
    name: "大貓熊",
    pictures: [
      ZooMedia(number: 1, link: ZooLink("http://www.zoo.gov.tw/1.jpg")),
      ZooMedia(number: 3, link: ZooLink("http://www.zoo.gov.tw/3.jpg")),
      ZooMedia(number: 4, link: nil, caption: "吃竹子"),
    ])

  private let portal = FakeTaipeiOpenData(
    pictures: [
      "/1.jpg": .init(bytes: [UInt8](Photos.jpeg(1))),
      "/3.jpg": .init(bytes: [UInt8](Photos.jpeg(3))),
      "/page.jpg": .init(bytes: Array("<!DOCTYPE html><html></html>".utf8)),
      "/large.jpg": .init(bytes: [UInt8](Photos.jpeg()) + [UInt8](repeating: 0, count: 5_000)),
    ])

  private func zoo(https: Bool = true, limits: AssetLimits = AssetLimits()) -> Zoo {
    Zoo(
      sources: ScriptedZoo([Self.animal]).sources, storage: .inMemory, transport: portal,
      pictureLimits: limits, picturesUseHTTPS: https)
  }

  @Test("pictures make one request for a hundred concurrent callers")
  func sharing() async throws {
    let zoo = zoo()
    let count = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<100 { group.addTask { try await zoo.image(for: Self.animal).data } }
      return try await group.reduce(into: 0) { $0 += $1 == Photos.jpeg(1) ? 1 : 0 }
    }
    #expect(count == 100)
    #expect(portal.requests.count == 1)
  }

  @Test("pictures are found by their number, and a missing one is a typed error")
  func numbers() async throws {
    let zoo = zoo()
    #expect(try await zoo.image(for: Self.animal, number: 3).data == Photos.jpeg(3))
    for number in [2, 4, 0] {
      let error = await #expect(throws: FieldError.self) {
        try await zoo.image(for: Self.animal, number: number)
      }
      #expect(error?.code == .pictureMissing)
    }
    let error = await #expect(throws: FieldError.self) {
      try await zoo.image(for: Animal(name: "無圖"))
    }
    #expect(error?.code == .pictureMissing)
  }

  @Test("pictures are fetched with https from hosts that support it, unless the app asks for http")
  func https() async throws {
    for isAsked in [false, true] {
      let zoo = zoo(https: isAsked)
      try await zoo.refresh()
      _ = try await zoo.image(for: Self.animal)
      #expect(portal.requests.last?.url.scheme == (isAsked ? "https" : "http"))
      guard case .remote(let url)? = try await zoo.listing()[0].picture else {
        Issue.record("there is no address")
        return
      }
      #expect(url.scheme == (isAsked ? "https" : "http"))
    }
  }

  @Test("pictures that are HTML pages or too large are typed errors, and the list is unchanged")
  func badPictures() async throws {
    let zoo = zoo(limits: AssetLimits(largestAsset: 4_000))
    for (path, code) in [
      ("page", .assetFormat), ("large", .assetTooLarge), ("gone", .notFound),
    ] as [(String, FieldError.Code)] {
      let animal = Animal(
        name: path,
        pictures: [ZooMedia(number: 1, link: ZooLink("http://www.zoo.gov.tw/\(path).jpg"))])
      let error = await #expect(throws: FieldError.self) { try await zoo.image(for: animal) }
      #expect(error?.code == code)
    }
  }

  @Test("pictures are prefetched, each once, and failures are reported")
  func prefetching() async throws {
    let animals = [
      Self.animal, Self.animal, Animal(name: "無圖"),
      Animal(
        name: "不見了",
        pictures: [ZooMedia(number: 1, link: ZooLink("http://www.zoo.gov.tw/gone.jpg"))]),
    ]
    let zoo = zoo()
    let report = try await zoo.prefetchImages(of: animals)
    #expect((report.fetched, report.present, report.failures.count) == (1, 0, 1))
    #expect(report.failures.first?.error.code == .notFound)
    try await zoo.refresh()
    #expect(try await zoo.prefetchImages().present == 1)
    #expect(try await zoo.pictureReport().memoryCount == 1)
  }

  @Test("pictures drop a canceled caller, and continue for the others")
  func cancellation() async throws {
    let gate = GatedTransport(portal)
    let zoo = Zoo(sources: ScriptedZoo([Self.animal]).sources, storage: .inMemory, transport: gate)
    let leaving = Task { try await zoo.image(for: Self.animal) }
    let staying = Task { try await zoo.image(for: Self.animal) }
    try await eventually { gate.waiting > 0 }
    try await letOthersRun()
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    gate.open()
    #expect(try await staying.value.data == Photos.jpeg(1))
    #expect(portal.requests.count == 1)
  }

  @Test("pictures aren't available in a zoo without a transport, which reports that")
  func noTransport() async throws {
    let zoo = Zoo(sources: ScriptedZoo([Self.animal]).sources, storage: .inMemory)
    let error = await #expect(throws: FieldError.self) { try await zoo.image(for: Self.animal) }
    #expect(error?.code == .offline)
  }
}

/// A transport whose answers wait for a word.
final class GatedTransport: Transport {
  private let base: any Transport
  private let state = Lock((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

  init(_ base: any Transport) { self.base = base }

  var waiting: Int { state.withLock(\.waiters.count) }

  func open() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.isOpen = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    return try await base.send(request)
  }
}
