import FieldCore
import Testing

@Suite("A broadcast", .timeLimit(.minutes(60)))
struct BroadcastTests {
  @Test("a broadcast sends a new listener the newest value first, and then later ones")
  func newest() async throws {
    let broadcast = Broadcast<Int>(buffer: 4)
    broadcast.send(1)
    broadcast.send(2)
    let stream = try #require(broadcast.listen()).stream
    broadcast.send(3)
    broadcast.close()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [2, 3])
  }

  @Test("a broadcast sends a new listener nothing that it already knows")
  func heardOf() async throws {
    let broadcast = Broadcast<Int>()
    broadcast.send(1)
    let stream = try #require(broadcast.listen(after: broadcast.count)).stream
    broadcast.close()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [])
  }

  @Test("a broadcast keeps the newest values for a slow listener, up to its buffer size")
  func slow() async throws {
    let broadcast = Broadcast<Int>(buffer: 2)
    let stream = try #require(broadcast.listen()).stream
    for number in 1...5 { broadcast.send(number) }
    broadcast.close()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [4, 5])
  }

  @Test(
    "a broadcast sends what is derived from the newest value, and replacements to new listeners")
  func made() async throws {
    let broadcast = Broadcast<Int>(buffer: 4)
    let stream = try #require(broadcast.listen()).stream
    for number in 1...3 {
      broadcast.send { newest in
        newest = (newest ?? 0) + number
        return number * 10
      }
    }
    #expect(broadcast.newest == 6)
    broadcast.close()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [10, 20, 30])
  }

  @Test("a broadcast sends in one order, despite concurrent senders, and the newest last")
  func order() async throws {
    let broadcast = Broadcast<Int>(buffer: 10_000)
    let stream = try #require(broadcast.listen()).stream
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 {
            broadcast.send { newest in
              newest = (newest ?? 0) + 1
              return newest ?? 0
            }
          }
        }
      }
    }
    broadcast.close()
    #expect(await stream.reduce(into: []) { $0.append($1) } == Array(1...4_000))
  }

  @Test("a broadcast reports once that a listener has left")
  func gone() async throws {
    let broadcast = Broadcast<Int>()
    let (numbers, number) = AsyncStream.makeStream(of: Int.self)
    var listener = broadcast.listen { number.yield($0) }
    let own = try #require(listener?.number)
    listener = nil
    var ended = numbers.makeAsyncIterator()
    #expect(await ended.next() == own)
    broadcast.close()
    number.finish()
    #expect(await ended.next() == nil)
  }

  @Test("a broadcast accepts nobody once it is closed")
  func closed() {
    let broadcast = Broadcast<Int>()
    broadcast.close()
    #expect(broadcast.listen()?.number == nil)
  }
}
