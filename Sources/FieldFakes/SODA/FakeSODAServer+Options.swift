extension FakeSODAServer {
  /// How a portal behaves; each property is something that a real one has been seen to do.
  public struct Options: Sendable {
    /// The version of the API.
    public var flavor = Flavor.soda21
    /// The tokens that are let in; nil lets any in. A token that is not among them is answered with
    /// 403, also where none is needed.
    public var acceptedTokens: Set<String>?
    /// Whether a request without a token, or an `Authorization`, is refused; nil is as Socrata does
    /// it: yes for SODA 3, no for `/resource/`.
    public var requiresToken: Bool?
    /// How errors are worded.
    public var errorShape = ErrorShape.coordinator
    /// The most rows that an answer has, whatever limit the client asks for; nil for no such cap.
    public var pageCap: Int?
    /// Answers like a file that somebody put there: so many of the first rows, whatever the query
    /// says; nil for a server that reads it.
    public var staticRows: Int?
    /// Makes a dataset that never ends: before each page is read, as many rows are inserted as it
    /// can hold. The closure gets a count from 0.
    public var endlessRow: (@Sendable (_ index: Int) -> Row)?
    /// Whether answers have `X-SODA2-Fields` and `X-SODA2-Types`.
    public var hasTypeHeaders = true
    /// What `ETag` looks like.
    public var entityTag = EntityTagStyle.gzipSuffix
    /// Whether `:created_at` and `:updated_at` are kept with microseconds, and compared with them,
    /// though they are printed with milliseconds; so a printed stamp is not equal to its own row's.
    public var keepsMicroseconds = false
    /// The least time between the stamps of two writes: one that comes too soon by the clock is
    /// stamped this much after the one before. Zero lets writes share a stamp. With
    /// ``keepsMicroseconds`` off, at least a millisecond makes a difference.
    public var stampStep = Duration.milliseconds(1)
    /// From which point the numbers that ids stand for are mixed.
    public var idSeed: UInt64 = 0x5EED
    /// How many states before the present one are kept for replicas that lag.
    public var historyLimit = 64
    /// Adds a byte-order mark to JSON, as `$$bom=true` does.
    public var hasByteOrderMark = false

    /// Makes a well-behaved portal of SODA 2.1.
    public init() {}
  }

  /// The version of the API.
  public enum Flavor: Sendable, Hashable {
    /// SODA 2.0: legacy types, at most 50,000 rows a page, text compared without regard to case.
    case soda20
    /// SODA 2.1.
    case soda21
    /// SODA 3.0: `/resource/` is still there, and needs a token like the rest.
    case soda30
  }

  /// How errors are worded.
  public enum ErrorShape: Sendable, Hashable {
    /// `{"code":…,"error":true,"message":…,"data":…}`, as documented.
    case documented
    /// `{"message":"Query coordinator error: …","errorCode":…,"data":…}`, as measured.
    case coordinator
    /// `{"code":…,"error":true}`: no message at all.
    case withoutMessage
    /// `{"error":{"message":…}}`, as CKAN has it.
    case nested
  }

  /// What `ETag` looks like.
  public enum EntityTagStyle: Sendable, Hashable {
    /// There is none.
    case absent
    /// `"…"`.
    case strong
    /// `"…---…--gzip--gzip"`, as measured.
    case gzipSuffix
    /// `W/"…"`.
    case weak
  }
}
