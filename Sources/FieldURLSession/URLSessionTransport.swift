internal import Dispatch
public import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The transport of apps and tools: `URLSession`, on Apple platforms and on Linux.
///
/// ```swift
/// let transport = URLSessionTransport(fields: ["User-Agent": "CityGuide/3.1"])
/// let answer = try await transport.send(TransportRequest(url: url, operation: "zoo.animals.page"))
/// ```
///
/// One transport is one session: connections are kept and shared by all its requests, and closed
/// when nothing refers to the transport any more. There are no cookies, no cache and no stored
/// credentials, so that an answer depends on its request alone.
///
/// - **Redirects** are followed by the transport itself, not by the session. A POST becomes a GET
///   after 301, 302 and 303; after 307 and 308 the method and the body stay. On the way to another
///   scheme, host or port every field is dropped that is not known to be harmless, so that no
///   credential, known or of your own making, reaches a host that it was not meant for.
/// - **The timeout** spans the whole exchange: waiting for a free connection, connecting, sending,
///   all redirects, and the last byte of the body.
/// - **Being offline** is found out by trying; nothing is asked beforehand. Every way in which a
///   host cannot be reached is ``/FieldCore/FieldError/Code/offline``: no network, no address for the
///   name, no connection to the address.
/// - **A body that came coded** (gzip, deflate, Brotli) is returned plain, without the fields
///   `Content-Encoding` and `Content-Length`, which would describe what is no longer there.
/// - **A file destination** is written beside its address under a temporary name, and renamed when
///   the last byte is there. Only an answer that is a success (200 to 299) goes there; any other
///   comes in memory, and what was in the file stays. The file is not synced to the device.
///
/// Errors: ``/FieldCore/FieldError`` with a `transport.…` code, `input.invalid` for a request that
/// cannot be sent at all, `store.io` or `store.diskFull` for a file that cannot be read or written;
/// or `CancellationError`.
public final class URLSessionTransport: Transport {
  private let session: URLSession
  private let exchanges: Exchanges
  private let fields: HTTPHeaderFields
  private let redirectLimit: Int

  /// Makes a transport with a session of its own.
  ///
  /// - Parameters:
  ///   - fields: Fields that go with every request that does not set them itself, such as
  ///     `User-Agent`.
  ///   - redirectLimit: How many redirects are followed for one request before
  ///     ``FieldCore/FieldError/Code/tooManyRedirects`` is thrown.
  ///   - connectionsPerHost: How many connections to one host are open at once; further requests wait.
  public init(
    fields: HTTPHeaderFields = [:], redirectLimit: Int = 20, connectionsPerHost: Int = 6
  ) {
    self.fields = fields
    self.redirectLimit = max(0, redirectLimit)

    let configuration = URLSessionConfiguration.ephemeral
    // An answer is not to depend on what was asked before. On Linux, moreover, a session that has a
    // cache asks it on another queue first, which is one more race with a cancellation.
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.httpMaximumConnectionsPerHost = max(1, connectionsPerHost)

    exchanges = Exchanges()
    // The delegate is the session's, since a task's own is asked only for some events on Linux.
    session = URLSession(
      configuration: configuration, delegate: SessionDelegate(exchanges), delegateQueue: nil)
  }

  deinit {
    // No request is in flight, since each holds the transport. `invalidateAndCancel` could still
    // race with the session's own end of the last one.
    session.finishTasksAndInvalidate()
  }

  /// Sends the request, follows redirects, and returns the whole answer.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let deadline = DispatchTime.now() + DispatchTimeInterval(request.timeout)
    var attempt = request
    for (name, value) in fields where request.fields[name] == nil {
      attempt.fields.add(value, to: name)
    }
    do {
      try attempt.checkIsSendable()
      for _ in 0...redirectLimit {
        let answer = try await exchange(attempt, until: deadline)
        guard request.followsRedirects, let next = try attempt.redirected(by: answer) else {
          return answer
        }
        attempt = next
      }
      throw FieldError(
        .tooManyRedirects, "the server redirected more than \(redirectLimit) times")
    } catch {
      throw FieldError.wrapping(
        error, as: .transport, "the request failed", operation: request.operation)
    }
  }

  /// Sends one request and returns its answer, a redirect included.
  private func exchange(
    _ request: TransportRequest, until deadline: DispatchTime
  ) async throws -> TransportResponse {
    let exchange = Exchange(request, until: deadline, among: exchanges)
    let task = session.dataTask(with: try await URLRequest(request))
    return try await exchange.run(task)
  }
}
