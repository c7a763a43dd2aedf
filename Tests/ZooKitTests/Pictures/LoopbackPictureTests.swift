import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The zoo's pictures over real connections", .timeLimit(.minutes(60)))
struct LoopbackPictureTests {
  /// A picture that takes a while to send.
  private static let bytes = [UInt8](Photos.jpeg(1)) + [UInt8](repeating: 7, count: 100_000)
  private let portal = FakeTaipeiOpenData(pictures: ["/1.jpg": .init(bytes: Self.bytes)])

  private func animal(of server: LoopbackServer) -> Animal {
    Animal(
      name: "大貓熊", pictures: [ZooMedia(number: 1, link: ZooLink("\(server.url)/1.jpg"))])
  }

  @Test("pictures arrive for the remaining callers, in one request, if others are canceled")
  func someLeave() async throws {
    let gate = GatedTransport(portal)
    let server = try LoopbackServer(serving: gate)
    let animal = animal(of: server)
    let folder = try TemporaryFolder()
    let zoo = Zoo(
      sources: ScriptedZoo([animal]).sources, storage: .directory(folder.url),
      transport: WithoutTimeout(URLSessionTransport()))
    let waiters = (0..<20).map { _ in Task { try await zoo.image(for: animal).data } }
    try await eventually { gate.waiting > 0 }
    try await letOthersRun()
    for waiter in waiters.dropLast(5) { waiter.cancel() }
    for waiter in waiters.dropLast(5) {
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    gate.open()
    for waiter in waiters.suffix(5) { #expect(try await waiter.value == Data(Self.bytes)) }
    #expect(portal.requests.count == 1)
    #expect(try await zoo.image(for: animal).origin == .memory)
    #expect(try await zoo.pictureReport().diskCount == 1)
    await server.stop()
    try await zoo.close()
  }

  @Test("pictures leave nothing if all callers are canceled in the body, and arrive whole later")
  func allLeave() async throws {
    let portal = portal
    let isSlow = Lock(true)
    let server = try LoopbackServer(serving: portal) { _ in
      isSlow.withLock { $0 } ? .slow(bytes: 1_000, every: .milliseconds(50)) : .whole
    }
    let animal = animal(of: server)
    let folder = try TemporaryFolder()
    let zoo = Zoo(
      sources: ScriptedZoo([animal]).sources, storage: .directory(folder.url),
      transport: WithoutTimeout(URLSessionTransport()))
    let waiters = (0..<3).map { _ in Task { try await zoo.image(for: animal) } }
    try await eventually { !portal.requests.isEmpty }
    for waiter in waiters { waiter.cancel() }
    for waiter in waiters {
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    let report = try await zoo.pictureReport()
    #expect((report.memoryCount, report.diskCount) == (0, 0))
    isSlow.withLock { $0 = false }
    #expect(try await zoo.image(for: animal).data == Data(Self.bytes))
    #expect(portal.requests.count == 2)
    await server.stop()
    try await zoo.close()
  }

  @Test("pictures that are truncated are a typed error and aren't kept")
  func cut() async throws {
    let isCut = Lock(true)
    let server = try LoopbackServer(serving: portal) { _ in
      isCut.withLock { $0 } ? .cut(after: 5_000) : .whole
    }
    let animal = animal(of: server)
    let zoo = Zoo(
      sources: ScriptedZoo([animal]).sources, storage: .inMemory,
      transport: WithoutTimeout(URLSessionTransport()))
    await #expect(throws: FieldError.self) { try await zoo.image(for: animal) }
    #expect(try await zoo.pictureReport().memoryCount == 0)
    isCut.withLock { $0 = false }
    #expect(try await zoo.image(for: animal).data == Data(Self.bytes))
    await server.stop()
  }
}
