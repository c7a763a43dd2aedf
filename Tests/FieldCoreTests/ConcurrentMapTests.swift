import FieldCore
import Testing

@Suite("Concurrent map")
struct ConcurrentMapTests {
  private static let names = (0..<40).map { "a name that is too long for a small string \($0)" }

  private static func look(up name: String) async throws -> String {
    await Task.yield()
    if name.hasSuffix("3") { throw FieldError(.invalidInput, name) }
    return name + name
  }

  @Test(
    "a concurrent map keeps every output with its element, whichever path computed it",
    arguments: [1, 3, .max])
  func order(limit: Int) async throws {
    for _ in 0..<50 {
      let outcomes = try await Self.names.concurrentMap(limit: limit) { name in
        do {
          return Result<String, FieldError>.success(try await Self.look(up: name))
        } catch let error as FieldError {
          return .failure(error)
        }
      }
      #expect(outcomes.count == Self.names.count)
      for (name, outcome) in zip(Self.names, outcomes) {
        switch outcome {
        case .success(let text): #expect(text == name + name)
        case .failure(let error): #expect(error.message == name && name.hasSuffix("3"))
        }
      }
    }
  }

  @Test("a concurrent map runs a limited number of operations, and reports each that has finished")
  func limit() async throws {
    let running = Lock((now: 0, most: 0))
    var reports: [Int] = []
    _ = try await Self.names.concurrentMap(limit: 3, progress: { reports.append($0) }) { _ in
      running.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      for _ in 0..<5 { await Task.yield() }
      running.withLock { $0.now -= 1 }
    }
    #expect(running.withLock(\.most) <= 3)
    #expect(reports == Array(1...Self.names.count))
  }

  @Test("a concurrent map rethrows the first error and cancels the running operations")
  func failure() async throws {
    let cancelled = Lock(0)
    let error = await #expect(throws: FieldError.self) {
      try await Self.names.concurrentMap { name in
        if name == Self.names[7] { throw FieldError(.invalidInput, name) }
        do {
          try await Task.sleep(for: .seconds(3_600))
        } catch {
          cancelled.withLock { $0 += 1 }
          throw error
        }
      }
    }
    #expect(error?.message == Self.names[7])
    #expect(cancelled.withLock(\.self) == Self.names.count - 1)
  }

  @Test("a concurrent map returns nothing for an empty collection")
  func nothing() async throws {
    let none: [Int] = try await [Int]().concurrentMap { $0 }
    #expect(none.isEmpty)
  }
}
