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
