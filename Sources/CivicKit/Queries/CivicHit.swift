internal import FieldCore

/// A unit that matches a search, with the fields that match.
public struct CivicHit: Sendable, Hashable, Identifiable, Codable, CustomStringConvertible {
  /// The unit.
  public let unit: CivicUnit
  /// The fields in which at least one of the words was found.
  public let fields: CivicSearch.Fields
  /// The number of words that were found.
  public let wordCount: Int
  let tokens: [String]

  private enum CodingKeys: String, CodingKey { case unit, fields, wordCount, tokens = "words" }

  /// The key of the unit.
  public var id: CivicUnit.ID { unit.id }

  /// The ranges to highlight in the unit's name, from left to right and without overlaps.
  public var nameRanges: [Range<String.Index>] {
    fields.contains(.name) ? Self.ranges(of: tokens, in: unit.name) : []
  }

  /// The ranges to highlight in the unit's description, from left to right and without overlaps.
  public var detailRanges: [Range<String.Index>] {
    fields.contains(.details) ? Self.ranges(of: tokens, in: unit.details ?? "") : []
  }

  /// Returns the ranges of the words in a text, with adjacent ones merged.
  static func ranges(of tokens: [String], in text: String) -> [Range<String.Index>] {
    let all = tokens.flatMap { TextFolding.ranges(of: $0, in: text) }
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var ranges: [Range<String.Index>] = []
    for range in all {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }

  /// The description of the unit.
  public var description: String { unit.description }
}

extension CivicHit {
  /// Creates a hit, for previews and tests.
  public init(unit: CivicUnit, fields: CivicSearch.Fields = .name, words: [String] = []) {
    self.init(
      unit: unit, fields: fields, wordCount: words.count,
      tokens: words.map { TextFolding.fold($0) })
  }
}
