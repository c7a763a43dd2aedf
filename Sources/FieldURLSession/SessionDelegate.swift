internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Passes what the session reports on to the exchange that it is about.
///
/// An exchange that is over is not found any more, and what comes late for it is dropped.
///
/// Two defects of Swift 6.3 on Linux end the process before a delegate is asked, and cannot be kept
/// away from here: a connection that closes within the head of an answer, after the status line and
/// before `Content-Length` ("Transfer completed, but there's no response", an error since 2026), and
/// a redirect to a host without a scheme whose name is none, such as `//[::1]/` ("Invalid URL").
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges: Exchanges

  init(_ exchanges: Exchanges) {
    self.exchanges = exchanges
    super.init()
  }

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
    exchanges[dataTask.taskIdentifier]?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    exchanges[task.taskIdentifier]?.finish(task.response, error)
  }

  /// Refuses every redirect: the transport follows by hand.
  ///
  /// Left to itself, the session sends credentials on to other hosts, and loses the body of a POST.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let wasRunning = exchanges[task.taskIdentifier]?.finish(early: response) ?? false
    #if canImport(FoundationNetworking)
      // An answer for a task that has been cancelled meanwhile ends the process ("Received callback
      // for HTTP redirection, but we're not waiting for it").
      guard wasRunning else { return }
    #endif
    completionHandler(nil)
  }

  /// Lets no challenge be answered with credentials: a 401 is an answer like any other.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // The only challenge there is on Linux comes when all of a 401 is there, and the task hangs
      // for ever unless it is answered or cancelled. The exchange ends first, so that the
      // cancellation is not mistaken for an end without an answer.
      guard let response = challenge.failureResponse as? HTTPURLResponse,
        exchanges[task.taskIdentifier]?.finish(early: response) == true
      else { return }
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      // Server trust is judged by the system; for passwords there is no storage to ask.
      completionHandler(.performDefaultHandling, nil)
    #endif
  }
}
