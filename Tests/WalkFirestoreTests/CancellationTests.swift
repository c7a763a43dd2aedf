import FieldCore
import FieldFakes
import FieldTesting
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

@Suite("A refresh of a diary that is canceled", .timeLimit(.minutes(60)))
struct CancellationTests {
  private static let jpeg = Data([0xFF, 0xD8] + (0..<4_500).map { UInt8(truncatingIfNeeded: $0) })

  /// Cancels the refresh at a request, which the server receives or doesn't.
  private final class Canceler: Sendable {
    let state = Lock<(count: Int, task: Task<Void, any Error>?)>((0, nil))
    private let last: Int
    private let isReceived: Bool

    init(at last: Int, isReceived: Bool) { (self.last, self.isReceived) = (last, isReceived) }

    func over(_ base: any Transport) -> any Transport { Canceling(base: base, canceler: self) }

    fileprivate func send(
      _ request: TransportRequest, to base: any Transport
    ) async throws -> TransportResponse {
      let task = state.withLock { state in
        defer { state.count += 1 }
        return state.count == last ? state.task : nil
      }
      guard let task else { return try await base.send(request) }
      if isReceived { _ = try await base.send(request) }
      task.cancel()
      throw CancellationError()
    }
  }

  private struct Canceling: Transport {
    let base: any Transport
    let canceler: Canceler

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      try await canceler.send(request, to: base)
    }
  }

  @Test(
    "a canceled refresh of a diary loses nothing and doubles nothing, at every request",
    arguments: [true, false])
  func everyRequest(isReceived: Bool) async throws {
    var last = 0
    for number in Sample.steps(from: 0, apart: 1, inDebug: 2) {
      last = number
      let (server, bucket, storage) = (FakeFirestore(), FakeStorage(), Storage.inMemory)
      let canceler = Canceler(at: last, isReceived: isReceived)
      let device = Device(
        server, over: canceler.over(server), storage: storage, photos: bucket,
        uploads: canceler.over(bucket))
      let pet = try await device.diary.register(PetRegistration(name: "mesh", photo: Self.jpeg))
      var walk = Device.walk("w", of: [pet.id.rawValue])
      let lease = try await device.stored.blobs.put([1, 2, 3])
      walk.routeBlob = lease.id
      try await device.stored.save(walk)
      lease.end()
      let task = canceler.state.withLock { state in
        let task = Task { _ = try await device.cloud.refresh(.now) }
        state.task = task
        return task
      }
      var isDone = await failure { try await task.value } == nil
      isDone = canceler.state.withLock { state in
        state.task = nil
        return isDone && state.count <= last
      }
      try await Device.settle(device)
      #expect(server.commitCount == 2 && server.receiptCount == 2, "canceled at \(last)")
      #expect(bucket["photos/\(BlobID(of: [UInt8](Self.jpeg)))"] == [UInt8](Self.jpeg))
      let other = Device(server, photos: bucket, seed: 2)
      try await other.cloud.refresh(.now)
      #expect(try await other.content() == device.content())
      #expect(try await other.stored.blobs.bytes(of: lease.id) == [1, 2, 3])
      if isDone { break }
      try #require(last < 100)
    }
    #expect(last >= 12)
  }
}
