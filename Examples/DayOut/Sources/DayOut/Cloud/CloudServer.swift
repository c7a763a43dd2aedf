import FieldFakes
import FieldKit
import FirestoreFakes
import Foundation
import WalkFirestore

/// A server on this machine for Firestore and photos that loses every second response to a commit.
///
/// All devices send to it, so it counts what was really applied, whatever they believe. It answers
/// itself or passes the requests for Firestore on to a peer.
final class CloudServer: Sendable {
  static let bucket = "walks"

  private let server: LoopbackServer
  private let commits: CommitLog
  private let faults: FaultTransport

  init(project: String, peer: URL?) throws {
    let firestore: any Transport =
      if let peer { PeerTransport(peer: peer) } else {
        FakeFirestore(project: project, clock: SystemClock())
      }
    let commits = CommitLog(firestore)
    // Lost responses make careless clients write twice.
    let faults = FaultTransport(commits, .every(2, .lostResponse()).when { CommitLog.isCommit($0) })
    (self.commits, self.faults) = (commits, faults)
    server = try LoopbackServer(
      serving: Services(firestore: faults, photos: FakeStorage(bucket: Self.bucket)))
  }

  var url: URL { server.url }

  /// The number of commits that the database applied.
  var commitCount: Int { get async { await commits.count } }

  /// The number of responses that were lost on purpose.
  var lostResponseCount: Int { faults.faultCount }

  func stop() async { await server.stop() }

  /// Firestore and the bucket behind one address.
  private struct Services: Transport {
    let firestore: any Transport
    let photos: FakeStorage

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      request.url.path.hasPrefix("/v0/b/")
        ? try await photos.send(request) : try await firestore.send(request)
    }
  }
}

/// Counts the commits that a database confirms, before the confirmation can be lost.
private actor CommitLog: Transport {
  private let base: any Transport
  private(set) var count = 0

  init(_ base: any Transport) { self.base = base }

  nonisolated static func isCommit(_ request: TransportRequest) -> Bool {
    request.url.path.hasSuffix("/documents:commit")
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let answer = try await base.send(request)
    if Self.isCommit(request), answer.isSuccess { count += 1 }
    return answer
  }
}

/// Passes requests on to a server at another address.
private struct PeerTransport: Transport {
  let peer: URL
  private let base = URLSessionTransport()

  init(peer: URL) { self.peer = peer }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    parts?.scheme = peer.scheme
    parts?.host = peer.host
    parts?.port = peer.port
    guard let url = parts?.url else {
      throw FieldError(.invalidInput, "\(peer) isn't the URL of a server.")
    }
    var request = request
    request.url = url
    for name in ["Host", "Connection", "Content-Length", "Transfer-Encoding"] {
      request.fields[name] = nil
    }
    return try await base.send(request)
  }
}
