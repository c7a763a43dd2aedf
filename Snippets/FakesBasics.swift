//! A loopback server and scripted network failures.

// snippet.hide
import FieldFakes
import FieldKit
import Foundation

func fakesBasics(answers: some Transport) async throws {
  // snippet.show
  // snippet.fakes
  let server = try LoopbackServer(serving: answers)  // real HTTP, on 127.0.0.1 only
  let faults = FaultTransport(URLSessionTransport(), .first(2, .drop()))
  let answer = try await faults.retrying(clock: ImmediateClock())
    .send(TransportRequest(url: server.url, operation: "guide.rows"))
  print(answer.status, faults.requestCount)  // the third request succeeded
  await server.stop()
  // snippet.end
  // snippet.hide
}
