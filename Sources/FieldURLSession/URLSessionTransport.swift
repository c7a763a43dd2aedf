internal import Dispatch
public import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A transport that sends requests with `URLSession`, on Apple platforms and on Linux.
///
/// ```swift
/// let transport = URLSessionTransport(fields: ["User-Agent": "CityGuide/3.1"])
/// let answer = try await transport.send(TransportRequest(url: url, operation: "zoo.animals.page"))
/// ```
///
/// Each transport owns one session. All requests of the transport share its connections, which
/// close when the transport is released. There are no cookies, no cache, and no stored credentials,
/// so a response depends on its request alone.
///
/// - **Redirects** are followed by the transport, not by the session. A POST becomes a GET after
///   301 and 302, and any method except HEAD becomes a GET after 303; otherwise the method and the
///   body stay. If the scheme, host, or port changes, all fields that aren't known to be harmless
///   are dropped, so no credential, standard or custom, reaches a host that it wasn't meant for.
/// - **The timeout** covers the entire request: waiting for a free connection, connecting,
///   sending, all redirects, and receiving the last byte of the body.
/// - **Being offline** is detected by trying; reachability isn't checked beforehand. Every case
///   in which a host can't be reached has the code ``/FieldCore/FieldError/Code/offline``: no
///   network, no address for the name, no connection to the address.
/// - **Encoded bodies** (gzip, deflate, Brotli) are returned decoded, without the fields
///   `Content-Encoding` and `Content-Length`, which would no longer be true. On Linux, the transport
///   requests unencoded bodies unless the request has `Accept-Encoding`, and rejects encoded ones
///   without a length, because Foundation doesn't notice when they are incomplete.
/// - **A file destination** is written under a temporary name in the same directory and renamed
///   after the last byte has arrived. Only successful responses (200 through 299) are written
///   there. The body of any other response is returned in memory, and an existing file stays. The
///   file isn't synced to the device.
/// - **On a Linux server** that sends requests to hosts that it doesn't control, use
///   `AsyncHTTPClientTransport` of the package `Adapters/FieldAsyncHTTPClient` instead. The module's
///   page lists the responses that harm a process in Foundation itself.
///
/// Errors are ``/FieldCore/FieldError`` values with a `transport.…` code, `input.invalid` if the
/// request can't be sent at all, or `store.io` or `store.diskFull` if a file can't be read or
/// written; or `CancellationError`.
public final class URLSessionTransport: Transport {
  private let session: URLSession
  private let exchanges: Exchanges
  private let fields: HTTPHeaderFields
  private let redirectLimit: Int

  /// Creates a transport with its own session.
  ///
  /// - Parameters:
  ///   - fields: The fields to add to every request that doesn't set them itself, such as
  ///     `User-Agent`.
  ///   - redirectLimit: The maximum number of redirects to follow for one request before throwing
  ///     ``/FieldCore/FieldError/Code/tooManyRedirects``. Defaults to 20.
  ///   - connectionsPerHost: The maximum number of open connections to one host; further requests
  ///     wait. Defaults to 6.
  public init(
    fields: HTTPHeaderFields = [:], redirectLimit: Int = 20, connectionsPerHost: Int = 6
  ) {
    self.fields = fields
    self.redirectLimit = max(0, redirectLimit)

    let configuration = URLSessionConfiguration.ephemeral
    // A response mustn't depend on earlier requests. On Linux, moreover, a session with a cache
    // consults it on another queue first, which is one more race with a cancellation.
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.httpMaximumConnectionsPerHost = max(1, connectionsPerHost)

    exchanges = Exchanges()
    #if canImport(FoundationNetworking)
      let queue: OperationQueue? = ImmediateQueue()
    #else
      let queue: OperationQueue? = nil
    #endif
    // The session has the delegate because on Linux a task's own delegate isn't called for all
    // events.
    session = URLSession(
      configuration: configuration, delegate: SessionDelegate(exchanges), delegateQueue: queue)
  }

  deinit {
    // No request is running, because each retains the transport. `invalidateAndCancel` could still
    // race with the session's end of the last one.
    session.finishTasksAndInvalidate()
  }

  /// Sends the request, follows redirects, and returns the complete response.
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
        let message = try await URLRequest(attempt)
        // The answer may be a redirect.
        let answer = try await Exchange(attempt, until: deadline, among: exchanges)
          .run(message, in: session)
        guard request.followsRedirects, let next = try attempt.redirected(by: answer) else {
          return answer
        }
        attempt = next
      }
      throw FieldError(
        .tooManyRedirects, "The server redirected more than \(redirectLimit) times.")
    } catch {
      let wrapped = FieldError.wrapping(
        error, as: .transport, "The request failed.", operation: request.operation)
      guard var failure = wrapped as? FieldError, failure.code.guidance.group != .device,
        let host = attempt.url.host
      else { throw wrapped }
      failure.message = "\(host): \(failure.message)"
      throw failure
    }
  }
}
