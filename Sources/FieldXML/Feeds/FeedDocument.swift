public import FieldCore
public import FieldFoundation

/// A feed as it was read: RSS 2.0 and its ancestors, RSS 1.0, or Atom.
///
/// ```swift
/// let feed = try FeedDocument(reading: bytes, from: address)
/// for item in feed.items { print(item.plainTitle, item.link as Any, item.published as Any) }
/// if let fault = feed.fault { print("not well-formed:", fault) }
/// ```
///
/// A feed that isn't well-formed is repaired: an ampersand that isn't escaped is an ampersand, an element
/// without an end tag ends with the one around it, and reading resumes at the next item at the latest.
/// ``faults`` lists what was wrong. Only an item that the feed's end cuts off is missing. No entity is
/// expanded and nothing is fetched.
///
/// It reads what governments' servers send: dates in Chinese, in Minguo years and without a time or
/// zone; `pubdate` in small letters; titles and links in CDATA with line breaks around them; an id in
/// place of a link; Big5.
public struct FeedDocument: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The format.
  public internal(set) var format: FeedFormat
  /// The title, without markup; nil when there is none.
  public internal(set) var title: String?
  /// The page that the feed is of.
  public internal(set) var link: URL?
  /// The language, such as `zh-tw`, as the feed has it.
  public internal(set) var language: String?
  /// The items, in the order of the feed; one that repeats another is there twice.
  public internal(set) var items: [FeedItem] = []
  /// The authors of the feed itself.
  public internal(set) var authors: [FeedPerson] = []
  /// What could not be read: dates in no known form, and links that are no addresses of the web. The
  /// item is there without them. Last come the ``faults``.
  public internal(set) var failures: [RowFailure] = []
  /// The places where the feed isn't well-formed, at most 100.
  public internal(set) var faults: [XMLFault] = []
  /// The first of the ``faults`` that lost something, or else the first; `nil` if the feed is well-formed.
  public var fault: XMLFault? { faults.worst }

  /// Reads a feed.
  ///
  /// - Parameters:
  ///   - bytes: The feed as it came.
  ///   - address: Where it came from, to complete relative links.
  ///   - charset: The encoding that the answer's header named; what the feed says itself comes first.
  ///   - zone: The zone of dates that state none; Taipei unless told otherwise.
  ///   - byteLimit: The most bytes that the feed may have; 16 MiB unless told otherwise.
  /// - Throws: `FieldError` with the code `rows.empty`; `rows.notData` for a web page, for JSON and for
  ///   XML that is no feed; `rows.malformed` or `rows.cut` when the fault stands before the feed has
  ///   begun; `rows.encoding`; `xml.entities`; `xml.limit`.
  public init(
    reading bytes: [UInt8], from address: URL? = nil, charset: String? = nil,
    zone: FixedZone = .taipei, byteLimit: Int = 16 << 20
  ) throws {
    let reader = FeedReader(address: address, zone: zone)
    let faults = try XMLReader(limits: XMLLimits(byteCount: byteLimit)).repair(
      bytes, charset: charset, as: "a feed", into: reader)
    guard var document = reader.finish() else {
      let fault = faults.worst
      let place = fault.map { ": \($0)" } ?? ""
      throw FieldError(
        fault?.isCut == true ? .cut : .malformed, "the feed cannot be read\(place)")
    }
    document.faults = faults
    document.failures += faults.map { fault in
      RowFailure(
        at: document.items.count, reason: "the feed is not well-formed: \(fault)")
    }
    self = document
  }

  /// Creates a document, for previews and tests.
  public init(format: FeedFormat, title: String? = nil, items: [FeedItem] = []) {
    self.format = format
    self.title = title
    self.items = items
  }

  /// The format, the title, and the number of items.
  public var description: String { "\(format) \(title ?? ""): \(items.count) items".printable }
}
