public import FieldCore

/// A scripted failure of a request.
public struct Fault: Sendable {
  enum Kind: Sendable {
    case latency(Duration)
    case failure(any Error)
    case lostResponse(any Error)
    case response(TransportResponse)
    case cutBody(Int)
    case truncatedBody(Int)
    case silence
    case duplicate
    case late
  }

  let kind: Kind

  /// Returns a fault that delays the request, on the clock of the ``FaultTransport``.
  public static func latency(_ duration: Duration) -> Fault { Fault(kind: .latency(duration)) }

  /// A fault by which the request hangs until its task is canceled.
  public static var silence: Fault { Fault(kind: .silence) }

  /// Returns a fault by which the request fails with a code before it is sent.
  public static func drop(_ code: FieldError.Code = .connectionLost) -> Fault {
    .failure(FieldError(code, "The request was dropped on purpose."))
  }

  /// Returns a fault by which the request fails with an error before it is sent.
  public static func failure(_ error: any Error) -> Fault { Fault(kind: .failure(error)) }

  /// Returns a fault by which the request is sent and takes effect, but its response is lost and it
  /// fails with a code.
  ///
  /// This is what makes repeating a POST dangerous.
  public static func lostResponse(_ code: FieldError.Code = .connectionLost) -> Fault {
    Fault(kind: .lostResponse(FieldError(code, "The response was dropped on purpose.")))
  }

  /// A fault that sends the request to the server twice in a row and returns the second response.
  public static var duplicate: Fault { Fault(kind: .duplicate) }

  /// A fault that fails with `transport.connectionLost` while the request is still on its way.
  ///
  /// The request reaches the server after the next one, whose response it can't change. Its own response is lost.
  public static var late: Fault { Fault(kind: .late) }

  /// Returns a fault that responds with a status without sending the request.
  public static func status(
    _ status: Int, fields: HTTPHeaderFields = [:], body: TransportBody = .bytes([])
  ) -> Fault {
    Fault(kind: .response(TransportResponse(status: status, fields: fields, body: body)))
  }

  /// Returns a fault that ends the connection after a number of bytes of the body.
  ///
  /// The request fails with the code `FieldError.Code.bodyCut`. A shorter body arrives completely.
  public static func cutBody(after count: Int) -> Fault { Fault(kind: .cutBody(count)) }

  /// Returns a fault that truncates the body to its first bytes without an error.
  ///
  /// A server or a cache that doesn't announce a length can do that. A shorter body arrives
  /// completely.
  public static func truncatedBody(after count: Int) -> Fault { Fault(kind: .truncatedBody(count)) }
}

extension Fault {
  /// Never returns, and throws if the task is canceled.
  static func waitForCancellation() async throws -> Never {
    // A stream that never yields ends when its reader is canceled.
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
  }
}
