public import AsyncHTTPClient
public import FieldCore
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A transport that sends requests with async-http-client, for servers and tools.
///
/// Bodies are streamed: a response is decoded and counted piece by piece, so it never exceeds its
/// limit by more than a piece, and nothing is read ahead. Credentials stay with their host when the
/// transport follows a redirect. The timeout covers everything, from connecting to the last byte.
///
/// A server may close a kept connection just as the next request is on its way. If no byte of a
/// response came, an idempotent request is sent again, up to twice. Any other request is only if it
/// has a body, of which certainly nothing was written.
public struct AsyncHTTPClientTransport: Transport {
  private let client: HTTPClient
  private let redirectLimit: Int

  /// Creates a transport over a client, which you shut down when you no longer need it.
  ///
  /// - Parameters:
  ///   - client: A client with ``configuration``, or with another one that neither follows redirects
  ///     nor decompresses.
  ///   - redirectLimit: The maximum number of redirects to follow for one request. Defaults to 20.
  public init(_ client: HTTPClient, redirectLimit: Int = 20) {
    self.client = client
    self.redirectLimit = max(0, redirectLimit)
  }

  /// The configuration of a client for this transport.
  ///
  /// The client doesn't follow redirects, decompress, or repeat a failed attempt to connect.
  public static var configuration: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, decompression: .disabled)
    configuration.connectionPool.retryConnectionEstablishment = false
    return configuration
  }

  /// Sends the request, follows redirects, and returns the complete response.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    do {
      return try await withThrowingTaskGroup(of: TransportResponse.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await follow(request) }
        group.addTask {
          // Beyond a year, the time at which to wake up may be out of range.
          try await Task.sleep(for: min(request.timeout, .seconds(365 * 86_400)))
          throw Self.naming(
            request.url,
            in: FieldError(.timeout, "The response wasn't complete within the request's timeout."))
        }
        guard let answer = try await group.next() else { throw CancellationError() }
        return answer
      }
    } catch {
      try Task.checkCancellation()
      guard var failure = error as? FieldError else { throw error }
      failure.operation = request.operation
      throw failure
    }
  }

  private func follow(_ request: TransportRequest) async throws -> TransportResponse {
    var attempt = request
    do {
      for _ in 0...redirectLimit {
        try Task.checkCancellation()
        try attempt.checkIsSendable()
        let answer = try await exchange(attempt)
        guard request.followsRedirects, let next = try attempt.redirected(by: answer) else {
          return answer
        }
        attempt = next
      }
      throw FieldError(
        .tooManyRedirects, "The server redirected more than \(redirectLimit) times.")
    } catch {
      throw Self.naming(attempt.url, in: error)
    }
  }

  /// Returns an error whose message names the host, unless the cause is on the device.
  private static func naming(_ url: URL, in error: any Error) -> any Error {
    guard var failure = error as? FieldError, failure.code.guidance.group != .device,
      let host = url.host
    else { return error }
    failure.message = "\(host): \(failure.message)"
    return failure
  }

  /// Sends a request, again if its connection was lost before a response (RFC 9110, section 9.2.2).
  ///
  /// The client neither says whether a connection is a kept one, nor opens a new one on demand. The
  /// next one may be closed, too; hence three attempts.
  private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
    var attempts = 0
    while true {
      let body = request.body.map { _ in OutgoingBody() }
      attempts += 1
      do {
        return try await exchange(request, body)
      } catch let error as FieldError
        where error.code == .connectionLost && attempts < 3
        && (request.isIdempotent || body?.isUnsent(after: error) == true)
      {
        try Task.checkCancellation()
      }
    }
  }

  private func exchange(
    _ request: TransportRequest, _ body: OutgoingBody?
  ) async throws -> TransportResponse {
    var message = HTTPClientRequest(url: request.url.absoluteString)
    message.method = HTTPMethod(rawValue: request.method.rawValue)
    for (name, value) in request.fields { message.headers.add(name: name, value: value) }
    if request.fields["Accept-Encoding"] == nil {
      message.headers.add(name: "Accept-Encoding", value: "gzip")
    }
    message.body = try request.body.flatMap { try body?.content($0) }
    var head: TransportResponse.Head?
    do {
      let answer = try await client.execute(message, deadline: .now() + .hours(24 * 365))
      let received = Self.head(answer, of: request)
      head = received
      return try await Self.receive(answer.body, after: received, for: request)
    } catch {
      throw Self.failure(error, after: head)
    }
  }

  private static func head(
    _ answer: HTTPClientResponse, of request: TransportRequest
  ) -> TransportResponse.Head {
    var head = TransportResponse.Head(status: Int(answer.status.code), url: request.url)
    for field in answer.headers { head.fields.add(field.value, to: field.name) }
    return head
  }

  private static func failure(_ error: any Error, after head: TransportResponse.Head?) -> any Error
  {
    let known = error as? HTTPClientError
    if error is FieldError || error is CancellationError { return error }
    if known == .cancelled { return CancellationError() }
    let (code, message): (FieldError.Code, String) =
      if let known, timeouts.contains(known) {
        (.timeout, "A timeout of the client's own configuration has passed.")
      } else if head != nil {
        (.bodyCut, "The body ended early.")
      } else if error is NIOConnectionError || known == .connectTimeout || isRefusal(error) {
        (.offline, "The host can't be reached.")
      } else if error is IOError || error is ChannelError || known == .remoteConnectionClosed {
        (.connectionLost, "The connection was lost.")
      } else if error is HTTPParserError {
        (.transport, "The response isn't valid HTTP, or its head is too large.")
      } else {
        (.transport, "The client failed.")
      }
    return FieldError(code, message, response: head, underlying: error)
  }

  private static let timeouts: [HTTPClientError] = [
    .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
  ]

  private static func isRefusal(_ error: any Error) -> Bool {
    [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains((error as? IOError)?.errnoCode)
  }
}
