extension LoopbackServer {
  /// How the answer to one request goes over the wire.
  ///
  /// The shorthands cover what most tests want; the properties can be combined.
  ///
  /// ```swift
  /// var delivery = LoopbackServer.Delivery.gzip
  /// delivery.framing = .chunked
  /// delivery.ending = .close(after: 1_000)
  /// ```
  public struct Delivery: Sendable, Hashable {
    /// How the end of the body is told.
    public var framing = Framing.length
    /// How the body is coded.
    public var coding = Coding.plain
    /// The time before the head is sent.
    public var delay = Duration.zero
    /// The time between the head and the body.
    public var bodyDelay = Duration.zero
    /// How many bytes of body are sent at once; nil for all of them, or 16 KiB a chunk.
    public var pieceSize: Int?
    /// The time between two pieces of the body.
    public var pieceDelay = Duration.zero
    /// What becomes of the answer in the end.
    public var ending = Ending.whole
    /// Whether the connection is kept for the next request.
    public var keepsConnection = true

    /// What is sent in place of the answer, to the letter, before the connection is closed: an answer
    /// that no server should give.
    public var raw: [UInt8]?

    /// Makes the delivery of a whole, plain answer with its length.
    public init() {}

    /// How the end of the body is told.
    public enum Framing: Sendable, Hashable {
      /// By `Content-Length`.
      case length
      /// By chunks (RFC 9112, section 7.1); a client of HTTP/1.0 is told by the connection's end.
      case chunked
      /// By the end of the connection.
      case connectionEnd
    }

    /// How the body is coded.
    public enum Coding: Sendable, Hashable {
      /// Not at all.
      case plain
      /// With gzip, if the request accepts it.
      case gzip
      /// With gzip, whether or not the request accepts it.
      case gzipAlways
    }

    /// What becomes of an answer in the end.
    ///
    /// Bytes are bytes of the body as they go over the wire, after coding and without the marks of
    /// chunks; nil is before the head.
    public enum Ending: Sendable, Hashable {
      /// It is sent whole.
      case whole
      /// The connection is closed in order after so many bytes.
      case close(after: Int?)
      /// The connection is reset after so many bytes.
      case reset(after: Int?)
      /// Nothing more is sent after so many bytes, until the client leaves or the server stops.
      case silence(after: Int?)
    }

    /// Whole, plain, with its length.
    public static var whole: Self { Self() }
    /// In chunks.
    public static var chunked: Self { with { $0.framing = .chunked } }
    /// With gzip, if the request accepts it.
    public static var gzip: Self { with { $0.coding = .gzip } }
    /// Never: the request is taken, and nothing is said.
    public static var never: Self { with { $0.ending = .silence(after: nil) } }

    /// In pieces of so many bytes, with a pause before each but the first.
    public static func slow(bytes: Int, every pause: Duration) -> Self {
      with {
        $0.pieceSize = bytes
        $0.pieceDelay = pause
      }
    }

    /// Whole, after a while.
    public static func delayed(_ delay: Duration) -> Self { with { $0.delay = delay } }

    /// Closed after so many bytes of body; nil is before the head.
    public static func cut(after bytes: Int?) -> Self { with { $0.ending = .close(after: bytes) } }

    /// This text in place of the answer, head and all; then the connection is closed.
    public static func raw(_ text: String) -> Self { with { $0.raw = Array(text.utf8) } }

    private static func with(_ change: (inout Self) -> Void) -> Self {
      var delivery = Self()
      change(&delivery)
      return delivery
    }
  }
}
