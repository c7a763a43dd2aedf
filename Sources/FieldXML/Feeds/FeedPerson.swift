/// A person or organization that a feed names as an author.
public struct FeedPerson: Sendable, Hashable, Codable {
  /// The name; `nil` if the feed doesn't contain one.
  public var name: String?
  /// The email address; `nil` if the feed doesn't contain one.
  public var email: String?
  /// The address of a page about the person; `nil` if the feed doesn't contain one.
  ///
  /// A relative address is completed. Anything that isn't a web address is kept as written.
  public var uri: String?

  /// Creates a person.
  public init(name: String? = nil, email: String? = nil, uri: String? = nil) {
    self.name = name
    self.email = email
    self.uri = uri
  }

  /// Creates a person from the text of an element such as `author`: a name, an email address, or
  /// both, as in `someone@example.org (Someone)` and `Someone <someone@example.org>`.
  init(text: String) {
    guard text.utf8.contains(UInt8(ascii: "@")), let at = text.firstIndex(of: "@") else {
      self.init(name: text)
      return
    }
    func isPart(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || "._%+-".contains(character))
    }
    let local = text[..<at].reversed().prefix(while: isPart).count
    let domain = text[at...].dropFirst().prefix(while: isPart)
    let start = text.index(at, offsetBy: -local)
    guard local > 0, domain.contains(".") else {
      self.init(name: text)
      return
    }
    let rest = (text[..<start] + text[domain.endIndex...]).split { character in
      character.isWhitespace || "()<>,".contains(character)
    }
    .filter { $0.lowercased() != "mailto:" }
    self.init(
      name: rest.isEmpty ? nil : rest.joined(separator: " "),
      email: String(text[start..<domain.endIndex]))
  }

  var isEmpty: Bool { name == nil && email == nil && uri == nil }
}

extension [FeedPerson] {
  /// The maximum number of persons in a feed or an item, because each is compared with all others.
  private static var most: Int { 256 }

  /// Appends a person, unless the list contains one with the same name and no different details, or
  /// is full.
  mutating func add(_ person: FeedPerson) {
    guard !person.isEmpty, count < Self.most else { return }
    let isKnown = contains { known in
      known.name == person.name && (person.email ?? known.email) == known.email
        && (person.uri ?? known.uri) == known.uri
    }
    if !isKnown { append(person) }
  }
}
