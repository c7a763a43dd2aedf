public import FieldCore
public import FieldFoundation

/// A feed that was read from RSS 2.0 or its ancestors, RSS 1.0, or Atom.
///
/// ```swift
/// let feed = try FeedDocument(reading: bytes, from: address)
/// for item in feed.items { print(item.plainTitle, item.link as Any, item.published as Any) }
/// if let fault = feed.fault { print("not well-formed:", fault) }
/// ```
///
/// A feed that isn't well-formed is repaired: an unescaped ampersand is an ampersand, an element
/// without an end tag ends with the one around it, and reading resumes at the next item at the
/// latest. ``faults`` lists the problems. Only an item that is cut off by the end of the feed is
/// missing. No entity is expanded and nothing is fetched.
///
/// The reader accepts what government servers send: dates in Chinese, in Minguo years, and without
/// a time or time zone; names of elements and attributes in any case; titles and links in CDATA with
/// line breaks around them; an ID in place of a link; items in a vocabulary of their own; Big5 and
/// GB 2312; texts in another encoding than the rest; and the output of a server before the document.
public struct FeedDocument: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The format.
  public internal(set) var format: FeedFormat
  /// The title without markup; `nil` if there is none.
  public internal(set) var title: String?
  /// The page that the feed belongs to.
  public internal(set) var link: URL?
  /// The language as the feed states it, such as `zh-tw`.
  public internal(set) var language: String?
  /// The items, in the order of the feed, including duplicates.
  public internal(set) var items: [FeedItem] = []
  /// The authors of the feed itself.
  public internal(set) var authors: [FeedPerson] = []
  /// The values that couldn't be read, such as dates in an unknown form and links that aren't web
  /// addresses.
  ///
  /// The items are included without them. The ``faults`` are at the end.
  public internal(set) var failures: [RowFailure] = []
  /// The places where the feed isn't well-formed, at most 100.
  public internal(set) var faults: [XMLFault] = []
  /// The first of the ``faults`` that lost something, or else the first; `nil` if the feed is
  /// well-formed.
  public var fault: XMLFault? { faults.worst }

  /// Creates a document by parsing a feed.
  ///
  /// - Parameters:
  ///   - bytes: The feed as received.
  ///   - address: The address of the feed, which completes relative links.
  ///   - charset: The encoding in the response's header, which is used if the feed states none.
  ///   - zone: The time zone of dates that don't state one. Defaults to Taipei's.
  ///   - byteLimit: The largest feed to accept, in bytes. Defaults to 16 MiB.
  /// - Throws: `FieldError` with the code `rows.empty`; `rows.notData` for an HTML page, JSON, or
  ///   XML that isn't a feed; `rows.malformed` or `rows.cut` if the feed isn't well-formed before
  ///   it begins; `rows.encoding`; `rows.unknownFormat` for an archive; `xml.entities`; or
  ///   `xml.limit`.
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
      throw FieldError(fault?.isCut == true ? .cut : .malformed, "The feed can't be read\(place).")
    }
    document.faults = faults
    document.failures += faults.map { fault in
      RowFailure(at: document.items.count, reason: "the feed isn't well-formed: \(fault)")
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

/// The format of a feed, as an open set of names.
public struct FeedFormat: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name of the format.
  public var rawValue: String
  /// Creates a format from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the format.
  public var description: String { rawValue }

  /// RSS 0.9x and 2.0: an `rss` element.
  public static var rss: Self { Self(rawValue: "rss") }
  /// RSS 1.0 and 0.90: an `rdf:RDF` element, with the items beside the channel.
  public static var rdf: Self { Self(rawValue: "rdf") }
  /// Atom 1.0 and 0.3: a `feed` element.
  public static var atom: Self { Self(rawValue: "atom") }
}

/// A handler that passes the content of a document on to a builder.
///
/// The builder is a struct so that each call checks once that nothing else accesses it, instead of
/// at each use of each property.
final class FeedReader: XMLHandler {
  private var builder: FeedBuilder

  init(address: URL?, zone: FixedZone) { builder = FeedBuilder(address: address, zone: zone) }

  /// Returns the feed, or `nil` if there was no root element.
  func finish() -> FeedDocument? { builder.finish() }

  func start(_ tag: XMLTag) throws { try builder.start(tag) }

  func text(_ text: String) { builder.text(text) }

  func end(_ name: String) { builder.end(name) }

  func elementsEnded(by tag: XMLTag) -> Int { builder.elementsEnded(by: tag) }
}
