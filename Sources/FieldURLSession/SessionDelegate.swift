internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Forwards the session's callbacks to the exchange that they belong to.
///
/// Callbacks for an exchange that has ended find nothing and are dropped.
///
/// On Linux, callbacks are on the session's own thread; see ``ImmediateQueue``.
///
/// Three defects of Swift 6.3 on Linux terminate the process before a delegate is called, so they
/// can't be prevented here: a connection that closes within the head of a response, after the
/// status line and before `Content-Length` ("Transfer completed, but there's no response", an error
/// since 2026); a redirect to a host without a scheme whose name is invalid, such as `//[::1]/`
/// ("Invalid URL"); and a `Content-Length` of 2⁶³ - 512 or more, which libcurl returns as a `Double`
/// that is 2⁶³, more than an `Int64` can hold.
///
/// Nor can a redirect whose body has no end. Foundation collects it in memory and copies all of it
/// for each part, without calling the delegate, and as long as the server sends faster than that,
/// libcurl doesn't return. All sessions of a process share that thread ("SharedQueue"). Timeouts and
/// cancellations take effect, because they don't need the session.
final class SessionDelegate: NSObject, Sendable {
  private let exchanges: Exchanges

  init(_ exchanges: Exchanges) {
    self.exchanges = exchanges
    super.init()
  }
}

// All of its methods are optional. The compiler warns about one that nearly matches only in the extension that declares
// the conformance.
extension SessionDelegate: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      exchanges[dataTask.taskIdentifier]?.receive(response)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let exchange = exchanges[dataTask.taskIdentifier]
    exchange?.receive(data)
    #if !canImport(FoundationNetworking)
      // The body of a redirect or a challenge, which may be endless, isn't needed.
      if exchange == nil { dataTask.cancel() }
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    exchanges[task.taskIdentifier]?.finish(task.response, error)
  }

  #if canImport(FoundationNetworking)
    /// Ends an exchange whose connection was closed after the body was sent, without a response.
    ///
    /// If the connection had been used before, libcurl sends the request again and asks for the body.
    /// Without one it would never end, and with one the server might apply the request twice.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      exchanges[task.taskIdentifier]?.stop(
        FieldError(.connectionLost, "The connection was closed without a response."))
      completionHandler(nil)
    }
  #endif

  /// Rejects every redirect, because the transport follows redirects itself.
  ///
  /// The session would send credentials to other hosts and lose the body of a POST.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let exchange = exchanges[task.taskIdentifier]
    #if canImport(FoundationNetworking)
      // Completing a redirect of a canceled task terminates the process ("Received callback for
      // HTTP redirection, but we're not waiting for it").
      guard exchange?.finish(early: response) == true else { return }
    #else
      _ = exchange?.finish(early: response)
    #endif
    completionHandler(nil)
  }

  /// Never answers a challenge with credentials: a 401 is a response like any other.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // On Linux, the only challenge arrives with a complete 401, and the task hangs until it is
      // answered or canceled. The exchange ends first, so that the cancellation isn't mistaken for
      // an end without a response.
      guard let response = challenge.failureResponse as? HTTPURLResponse,
        exchanges[task.taskIdentifier]?.finish(early: response) == true
      else { return }
      // It cancels the task, which this thread, the session's own, would wait for.
      exchanges.tasks.async { completionHandler(.cancelAuthenticationChallenge, nil) }
    #else
      // The system evaluates server trust; no credential storage is configured for passwords.
      completionHandler(.performDefaultHandling, nil)
    #endif
  }
}
