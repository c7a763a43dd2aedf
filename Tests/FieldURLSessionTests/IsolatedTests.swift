import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing

#if os(macOS) || os(Linux)
  /// Tests that run in a process of their own: those that measure time would otherwise measure how
  /// long other tests keep the two or four threads of the concurrency pool, and a storm that ends the
  /// process is to end its own.
  @Suite("Isolated tests", .serialized, .inAnotherProcess)
  struct IsolatedTests {
    // row 7 of Docs/old-apps.md
    @Test("a timeout of 300 ms fires after 300 to 600 ms", .timeLimit(.minutes(60)))
    func timeout() async {
      await #expect(processExitsWith: .success) {
        let transport = URLSessionTransport()
        let deliveries = [
          LoopbackServer.Delivery.never, .with { $0.ending = .silence(after: 5) },
          .slow(bytes: 1, every: .milliseconds(40)),
        ]
        for delivery in deliveries {
          let server = try LoopbackServer(bytes(100)) { _ in delivery }
          // A machine with more work than processors may be late; then it is tried again, until the
          // limit of the test.
          var time = Duration.zero
          repeat {
            let start = ContinuousClock.now
            await expectError(.timeout) {
              try await transport.send(server.request(timeout: .milliseconds(300)))
            }
            time = ContinuousClock.now - start
            #expect(time >= .milliseconds(300))
          } while time > .milliseconds(600)
        }
        // Cut to whole seconds, this one would come too early.
        let server = try LoopbackServer(bytes(10)) { request in
          request.url.path == "/quick" ? .whole : .delayed(.milliseconds(1_100))
        }
        var status: Int?
        while status == nil {
          // Foundation keeps a thread busy while a request on a new connection waits.
          _ = try await transport.send(server.request(.get, "/quick"))
          let start = ContinuousClock.now
          do {
            status = try await transport.send(server.request(timeout: .milliseconds(1_900))).status
          } catch let error as FieldError where error.code == .timeout {
            // The answer was late, not the timeout early.
            #expect(ContinuousClock.now - start >= .milliseconds(1_900))
          }
        }
        #expect(status == 200)
      }
    }

    @Test("a canceled request ends soon with CancellationError", .timeLimit(.minutes(60)))
    func soon() async {
      await #expect(processExitsWith: .success) {
        let transport = URLSessionTransport()
        let deliveries = [
          LoopbackServer.Delivery.never, .with { $0.ending = .silence(after: 10) },
          .slow(bytes: 1, every: .milliseconds(20)),
        ]
        for delivery in deliveries {
          let server = try LoopbackServer(bytes(1000)) { _ in delivery }
          // As above, a busy machine gets another try.
          var time = Duration.zero
          repeat {
            let task = Task { try await transport.send(server.request()) }
            try await SystemClock().sleep(for: .milliseconds(100))
            let start = ContinuousClock.now
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            time = ContinuousClock.now - start
          } while time >= .milliseconds(500)
        }
      }
    }

    // rows 1 and 2 of Docs/old-apps.md
    /// Rows 1 and 2: a race of cancellation and answer neither hangs nor ends the process.
    /// `FIELDKIT_STORM=100000 swift test --filter IsolatedTests/storm` makes it longer.
    @Test("a storm of thousands of canceled requests ends", .timeLimit(.minutes(60)))
    func storm() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let seed = UInt64.random(in: 0...(.max))
        let start = ContinuousClock.now
        let wanted =
          Int(ProcessInfo.processInfo.environment["FIELDKIT_STORM"] ?? "")
          ?? Sample.rounds(10_000, 800, inDebug: 400)
        let tally = try await Storm(seed: seed).run(untilCancelled: wanted)
        print("storm: \(tally), seed \(seed), \(ContinuousClock.now - start)")
        #expect(tally.cancelled >= wanted)
        #expect(tally.answered > wanted / 8, "the delays do not reach the answers; seed \(seed)")
        #expect(tally.other.isEmpty, "seed \(seed)")
      }
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
  }
#else
  @Suite("Isolated tests")
  struct IsolatedTests {
    @Test("they run in processes of their own", .needsProcesses)
    func processes() {}
  }
#endif
