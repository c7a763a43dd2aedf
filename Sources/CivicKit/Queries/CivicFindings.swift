internal import FieldCore

/// What the whole directory has for a text, by where it was found.
public struct CivicFindings: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The units, the best first, keywords and synonyms included.
  public var units: [CivicHit]
  /// The categories whose name, description or keywords match, in the order of their table.
  public var categories: [UnitCategory]
  /// The keywords whose text or description matches, in the order of their table.
  public var keywords: [CivicKeyword]
  /// The synonyms that match, in the order of their table, also those of units that are not there.
  public var synonyms: [UnitSynonym]
  /// The apps whose name matches, in the order of their table.
  public var apps: [CivicApp]
  /// The banners whose name matches, past ones included, in the order of their table.
  public var banners: [CivicBanner]
  /// The activities whose title or text matches, the newest first, hidden ones left out.
  public var activities: [CityActivity]
  /// The news whose title or text matches, the newest first.
  public var news: [NewsItem]

  /// Makes findings.
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

  /// How many things were found.
  public var count: Int {
    units.count + categories.count + keywords.count + synonyms.count + apps.count + banners.count
      + activities.count + news.count
  }

  /// Whether nothing was found.
  public var isEmpty: Bool { count == 0 }

  /// The number of findings.
  public var description: String { "\(count) findings" }
}

/// The words of a search, to be looked for in texts that have no index.
struct WordTest {
  private let tokens: [[UInt8]]
  private let words: CivicSearch.Words

  /// Takes the words of a search; nil when it has none, and finds nothing.
  init?(_ search: CivicSearch) {
    tokens = search.tokens.map { Array($0.utf8) }
    words = search.words
    if tokens.isEmpty { return nil }
  }

  /// Whether the texts of one thing have the words, each in any of them.
  func matches(_ texts: [String?]) -> Bool {
    let folded = texts.compactMap { $0.map(TextFolding.foldedBytes) }
    let isThere = { (token: [UInt8]) in folded.contains { Self.contains($0, token) } }
    return words == .all ? tokens.allSatisfy(isThere) : tokens.contains(where: isThere)
  }

  /// Whether some bytes stand in others.
  static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { start in
      text[start..<start + part.count].elementsEqual(part)
    }
  }
}
