extension FakeSODAServer {
  /// Options that configure a portal's behavior, all of which was observed on real portals.
  public struct Options: Sendable {
    /// The version of the API.
    public var flavor = Flavor.soda21
    /// The accepted tokens; `nil` accepts any.
    ///
    /// The response to another token is 403, even where no token is needed.
    public var acceptedTokens: Set<String>?
    /// A Boolean value that indicates whether a request needs a token or an `Authorization`.
    ///
    /// `nil` means as in Socrata: `true` for SODA 3, `false` for `/resource/`.
    public var requiresToken: Bool?
    /// The format of error messages.
    public var errorShape = ErrorShape.coordinator
    /// The maximum number of rows in a response, whatever limit the client requests; `nil` for
    /// none.
    public var pageCap: Int?
    /// The number of rows of a static response that ignores the query; `nil` for a normal server.
    public var staticRows: Int?
    /// A closure that makes the dataset endless: before each page is read, it returns as many new
    /// rows as the page can hold.
    ///
    /// The closure receives an index from 0.
    public var unboundedRow: (@Sendable (_ index: Int) -> Row)?
    /// A Boolean value that indicates whether responses have `X-SODA2-Fields` and `X-SODA2-Types`.
    public var hasTypeHeaders = true
    /// The format of `ETag`.
    public var entityTag = EntityTagStyle.gzipSuffix
    /// A Boolean value that indicates whether `:created_at` and `:updated_at` have microseconds.
    ///
    /// They are compared with microseconds but printed with milliseconds, so a printed stamp isn't
    /// equal to that of its own row.
    public var keepsMicroseconds = false
    /// The minimum time between the stamps of two writes.
    ///
    /// A write that follows sooner by the clock is stamped this much after the previous one. Zero
    /// lets writes share a stamp. If ``keepsMicroseconds`` is `false`, stamps differ only if this
    /// is at least a millisecond.
    public var stampStep = Duration.milliseconds(1)
    /// The seed of the permutation of row numbers that IDs represent.
    public var idSeed: UInt64 = 0x5EED
    /// The number of earlier states that are kept for lagging replicas.
    public var historyLimit = 64
    /// A Boolean value that indicates whether JSON begins with a byte-order mark, as with
    /// `$$bom=true`.
    public var hasByteOrderMark = false

    /// Creates the options of a well-behaved SODA 2.1 portal.
    public init() {}
  }

  /// The version of the API.
  public enum Flavor: Sendable, Hashable {
    /// SODA 2.0: legacy types, at most 50,000 rows per page, case-insensitive comparison of text.
    case soda20
    /// SODA 2.1.
    case soda21
    /// SODA 3.0: `/resource/` still exists, and needs a token like the rest.
    case soda30
  }

  /// The format of error messages.
  public enum ErrorShape: Sendable, Hashable {
    /// `{"code":…,"error":true,"message":…,"data":…}`, as documented.
    case documented
    /// `{"message":"Query coordinator error: …","errorCode":…,"data":…}`, as measured.
    case coordinator
    /// `{"code":…,"error":true}`, without a message.
    case withoutMessage
    /// `{"error":{"message":…}}`, as in CKAN.
    case nested
  }

  /// The format of `ETag`.
  public enum EntityTagStyle: Sendable, Hashable {
    /// No `ETag`.
    case absent
    /// `"…"`.
    case strong
    /// `"…---…--gzip--gzip"`, as measured.
    case gzipSuffix
    /// `W/"…"`.
    case weak
  }
}
