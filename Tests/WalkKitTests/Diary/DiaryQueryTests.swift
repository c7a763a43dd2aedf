import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("Results of queries of a diary", .timeLimit(.minutes(60)))
struct DiaryQueryTests {
  private let bench = DiaryBench()
  private var diary: WalkDiary { bench.diary }

  @Test("the walks of a pet come again if one of them changes, and not for another pet's")
  func results() async throws {
    let mesh = try await diary.register(DiaryBench.form("mesh"))
    let tori = try await diary.register(DiaryBench.form("tori", photo: nil))
    let (queried, found) = (Lock(0), Lock<[[Walk.ID]]>([]))
    let task = Task { [diary] in
      let results = diary.updates { diary in
        queried.withLock { $0 += 1 }
        return try await diary.walks(of: mesh.id).walks.map(\.id)
      }
      for try await walks in results { found.withLock { $0.append(walks) } }
    }
    try await eventually { found.withLock(\.self) == [[]] }

    try await bench.save("1", of: [tori])
    try await eventually { queried.withLock(\.self) == 2 }
    #expect(found.withLock(\.count) == 1)

    try await bench.save("2", of: [mesh, tori], hour: 1)
    try await eventually { found.withLock(\.last) == ["2"] }
    try await diary.delete(tori.id)
    try await eventually { queried.withLock(\.self) >= 4 }
    #expect(found.withLock(\.self) == [[], ["2"]])
    try await diary.close()
    try await task.value
  }

  @Test("the results of a query end with its error")
  func failure() async throws {
    let mesh = try await diary.register(DiaryBench.form("mesh"))
    var names = diary.updates { diary in
      guard let pet = try await diary.pet(mesh.id) else {
        throw FieldError(.invalidInput, "The pet was deleted.")
      }
      return pet.name
    }.makeAsyncIterator()
    #expect(try await names.next() == "mesh")
    try await diary.delete(mesh.id)
    let error = await #expect(throws: FieldError.self) { try await names.next() }
    #expect(error?.code == .invalidInput)
    #expect(try await names.next() == nil)
  }

  @Test("the results of a query end without an error if the diary is closed, also during one")
  func closing() async throws {
    try await diary.register(DiaryBench.form("mesh"))
    let isClosing = Lock(false)
    var names = diary.updates { diary in
      if isClosing.withLock(\.self) { try await diary.close() }
      return try await diary.pets().map(\.name)
    }.makeAsyncIterator()
    #expect(try await names.next() == ["mesh"])
    try await diary.register(DiaryBench.form("tori"))
    isClosing.withLock { $0 = true }
    #expect(try await names.next() == nil)
  }

  @Test("the results of a query end without an error if their task is canceled during one")
  func cancellation() async throws {
    let isQuerying = Lock(false)
    let task = Task { [diary] in
      let results = diary.updates { _ in
        isQuerying.withLock { $0 = true }
        try await Task.sleep(for: .seconds(3_600))
        return 0
      }
      for try await _ in results {}
    }
    try await eventually { isQuerying.withLock(\.self) }
    task.cancel()
    try await task.value
  }
}
