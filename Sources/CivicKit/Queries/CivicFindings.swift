internal import FieldCore

/// The results of a search over the whole directory, in groups.
public struct CivicFindings: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The units, best match first, including matches in keywords and synonyms.
  public var units: [CivicHit]
  /// The categories whose name, description, or keywords match, in table order.
  public var categories: [UnitCategory]
  /// The keywords whose text or description matches, in table order.
  public var keywords: [CivicKeyword]
  /// The matching synonyms, in table order, including those of missing units.
  public var synonyms: [UnitSynonym]
  /// The apps whose name matches, in table order.
  public var apps: [CivicApp]
  /// The banners whose name matches, in table order, including past ones.
  public var banners: [CivicBanner]
  /// The activities whose title or text matches, newest first, without hidden ones.
  public var activities: [CityActivity]
  /// The news whose title or text matches, newest first.
  public var news: [NewsItem]

  /// Creates findings.
  public init(
    units: [CivicHit] = [], categories: [UnitCategory] = [], keywords: [CivicKeyword] = [],
    synonyms: [UnitSynonym] = [], apps: [CivicApp] = [], banners: [CivicBanner] = [],
    activities: [CityActivity] = [], news: [NewsItem] = []
  ) {
    self.units = units
    self.categories = categories
    self.keywords = keywords
    self.synonyms = synonyms
    self.apps = apps
    self.banners = banners
    self.activities = activities
    self.news = news
  }

  /// The total number of results.
  public var count: Int {
    units.count + categories.count + keywords.count + synonyms.count + apps.count + banners.count
      + activities.count + news.count
  }

  /// A Boolean value that indicates whether nothing was found.
  public var isEmpty: Bool { count == 0 }

  /// The number of findings.
  public var description: String { "\(count) findings" }
}

/// The words of a search, for texts that have no index.
struct WordTest {
  private let tokens: [[UInt8]]
  private let words: CivicSearch.Words

  /// Creates a test from the words of a search, or `nil` if it has none and finds nothing.
  init?(_ search: CivicSearch) {
    tokens = search.tokens.map { Array($0.utf8) }
    words = search.words
    if tokens.isEmpty { return nil }
  }

  /// Returns whether the texts of one item contain enough of the words, each in any of the texts.
  func matches(_ texts: [String?]) -> Bool {
    let folded = texts.compactMap { $0.map(TextFolding.foldedBytes) }
    let isThere = { (token: [UInt8]) in folded.contains { Self.contains($0, token) } }
    return words == .all ? tokens.allSatisfy(isThere) : tokens.contains(where: isThere)
  }

  static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { start in
      text[start..<start + part.count].elementsEqual(part)
    }
  }
}
