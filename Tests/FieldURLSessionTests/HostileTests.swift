import FieldCore
import FieldFakes
import FieldTesting
import FieldURLSession
import Foundation
import TestSupport
import Testing

#if os(macOS) || os(Linux)
  /// Tests of hostile servers. Each runs in its own process, which it may terminate or fill.
  ///
  /// `TransportConformance` has the same cases with wider bounds, for every transport.
  @Suite("Hostile servers", .serialized, .inAnotherProcess)
  struct HostileTests {
    /// 1 GiB in the long form, otherwise 256 MiB, or 160 MiB in debug builds: Foundation unpacks all of it.
    @Test("a thousandfold gzip takes little memory", .timeLimit(.minutes(60)))
    func bomb() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let transport = URLSessionTransport()
        let server = try hostile()
        // The first request's memory isn't the bomb's.
        _ = try await transport.send(server.request(.get, "/bytes/100000"))
        let before = peakMemory()
        let start = ContinuousClock.now
        let error = await expectError(.responseTooLarge) {
          try await transport.send(
            server.request(
              .get, "/raw/bomb/\(Sample.rounds(1_024, 256, inDebug: 160))", limit: 1 << 20))
        }
        let time = ContinuousClock.now - start
        #expect(error?.response?.status == 200)
        // The session continues to decompress, which Foundation can't stop, and keeps nothing.
        for _ in 0..<100 { _ = try await transport.send(server.request(.get, "/bytes/100000")) }
        print("bomb: \(time), \((peakMemory() - before) >> 20) MiB")
        #expect(peakMemory() - before < 128 << 20)
      }
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    /// On Linux, the redirect blocks all sessions of the process, so the other requests don't receive
    /// responses; but nothing blocks timeouts and cancellations.
    @Test(
      "timeouts and cancellations hold during a redirect without an end", .timeLimit(.minutes(60)))
    func unendingRedirect() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let transport = URLSessionTransport()
        let server = try hostile()
        let other = try LoopbackServer(bytes(10)) { _ in .never }
        let before = peakMemory()
        let start = ContinuousClock.now
        let redirect = Task {
          try await transport.send(server.request(.get, "/raw/unendingRedirect"))
        }
        try await eventually { server.connectionCount == 1 }
        var timeouts: [Duration] = []
        for sending in [transport, URLSessionTransport()] {
          let start = ContinuousClock.now
          await expectError(.timeout) {
            try await sending.send(other.request(timeout: .milliseconds(200)))
          }
          timeouts.append(ContinuousClock.now - start)
        }
        let waiting = Task { try await transport.send(other.request()) }
        try await SystemClock().sleep(for: .milliseconds(100))
        var cancellations: [Duration] = []
        for task in [waiting, redirect] {
          let start = ContinuousClock.now
          task.cancel()
          await #expect(throws: CancellationError.self) { try await task.value }
          cancellations.append(ContinuousClock.now - start)
        }
        print(
          "redirect: timeouts \(timeouts), cancellations \(cancellations),",
          "\((peakMemory() - before) >> 20) MiB after \(ContinuousClock.now - start)")
      }
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }

    #if canImport(FoundationNetworking)
      /// Converts a `Double` of 2⁶³ to `Int64`, before any delegate is called. When this test fails,
      /// the defect is gone: run the case `hugeLength` of `TransportConformance`, too.
      @Test("Foundation on Linux terminates the process at a length of 2⁶³ - 1 bytes")
      func length() async {
        await #expect(processExitsWith: .failure) {
          let server = try hostile()
          _ = try? await URLSessionTransport().send(server.request(.get, "/raw/length"))
        }
      }
    #endif
  }

  private func hostile() throws -> LoopbackServer { try TransportConformance.makeServer() }

  /// The peak memory of the process, in bytes.
  private func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) << 10
  }
#else
  @Suite("Hostile servers")
  struct HostileTests {
    @Test("they run in processes of their own", .needsProcesses)
    func processes() {}
  }
#endif
