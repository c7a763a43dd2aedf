public import FieldCore

/// Something that goes wrong with an exchange, on purpose.
public struct Fault: Sendable {
  enum Kind: Sendable {
    case latency(Duration)
    case failure(any Error)
    case lostAnswer(any Error)
    case answer(TransportResponse)
    case cutBody(Int)
    case truncatedBody(Int)
    case silence
  }

  let kind: Kind

  /// The exchange begins this much later, on the clock of the ``FaultTransport``.
  public static func latency(_ duration: Duration) -> Fault { Fault(kind: .latency(duration)) }

  /// The request is never answered: it hangs until its task is cancelled.
  public static var silence: Fault { Fault(kind: .silence) }

  /// The request fails with this code before it is sent.
  public static func drop(_ code: FieldError.Code = .connectionLost) -> Fault {
    .failure(FieldError(code, "the request was dropped on purpose"))
  }

  /// The request fails with this error before it is sent.
  public static func failure(_ error: any Error) -> Fault { Fault(kind: .failure(error)) }

  /// The request is sent and does its work, but the answer is lost and the exchange fails with this
  /// code: what makes repeating a POST dangerous.
  public static func lostAnswer(_ code: FieldError.Code = .connectionLost) -> Fault {
    Fault(kind: .lostAnswer(FieldError(code, "the answer was dropped on purpose")))
  }

  /// This status comes in place of the answer, and the request is not sent.
  public static func status(
    _ status: Int, fields: HTTPHeaderFields = [:], body: TransportBody = .bytes([])
  ) -> Fault {
    Fault(kind: .answer(TransportResponse(status: status, fields: fields, body: body)))
  }

  /// The connection ends after so many bytes of the body: a `FieldError` with the code
  /// `FieldError.Code.bodyCut`. A shorter body comes whole.
  public static func cutBody(after count: Int) -> Fault { Fault(kind: .cutBody(count)) }

  /// The body has only its first bytes, and nobody notices: what a server or a cache in between can
  /// do that does not announce a length. A shorter body comes whole.
  public static func truncatedBody(after count: Int) -> Fault {
    Fault(kind: .truncatedBody(count))
  }
}

extension Fault {
  /// Returns never, and throws when the task is cancelled.
  static func waitForCancellation() async throws -> Never {
    // A stream whose other end is held and says nothing ends when its reader is cancelled.
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
  }
}
