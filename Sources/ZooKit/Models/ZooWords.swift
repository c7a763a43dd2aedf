/// Takes apart the texts in which the zoo lists things.
enum ZooWords {
  /// The parts between enumeration commas, commas, semicolons and line breaks of either width, each
  /// once, without space around them.
  static func list(_ text: String?, alsoAt others: Set<Character> = []) -> [String] {
    guard let text else { return [] }
    var seen: Set<String> = []
    return text.split { character in
      character.isNewline || "、，,;；".contains(character) || others.contains(character)
    }.compactMap { part in
      let word = trimmed(part)
      return !word.isEmpty && seen.insert(word).inserted ? word : nil
    }
  }

  /// The places of a location: they are parted by semicolons of either width alone, since names of
  /// places hold the other signs.
  static func places(_ text: String?) -> [String] {
    guard let text else { return [] }
    var seen: Set<String> = []
    return text.split { $0.isNewline || $0 == ";" || $0 == "；" }.compactMap { part in
      let word = trimmed(part)
      return !word.isEmpty && seen.insert(word).inserted ? word : nil
    }
  }

  /// The text without space around it.
  static func trimmed(_ text: some StringProtocol) -> String {
    let isBlank = { (character: Character) in character.isWhitespace || character == "\u{FEFF}" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
