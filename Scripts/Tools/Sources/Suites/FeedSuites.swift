internal import FieldXML
internal import Foundation

extension Suites {
  /// The tests of feedparser.
  ///
  /// Each file states what feedparser must find in it, as an expression of Python. Those that compare one
  /// value that `FeedDocument` exposes with a text are evaluated; texts are compared as plain text, because
  /// feedparser sanitizes HTML in its own way. All files must return or throw a `FieldError`.
  static func feedSuites(in directory: URL) async throws -> [SuiteResult] {
    let tests = directory.appending(path: "feedparser/tests")
    var whole = SuiteResult(name: "feedparser, every feed returns or throws a FieldError")
    var values = ["wellformed", "illformed", "entities", "encoding"].map {
      SuiteResult(name: "feedparser \($0), values on FeedDocument")
    }
    var safety = SuiteResult(name: "feedparser wellformed/sanitize, HTMLText.safeHTML is harmless")
    for index in values.indices {
      let folder = values[index].name.split(separator: " ")[1].prefix { $0 != "," }
      let root = tests.appending(path: String(folder))
      for file in files(in: root, ending: ".xml") {
        let name = String(file.path().dropFirst(tests.path().count))
        guard let data = try? Data(contentsOf: file) else { continue }
        whole.record(name, failure(of: data))
        if name.contains("/sanitize/") { safety.record(name, danger(in: data)) }
        guard let expected = expectation(of: data) else { continue }
        do {
          let feed = try FeedDocument(
            reading: [UInt8](data), from: URL(string: "http://127.0.0.1:8097/"))
          guard let found = value(expected.path, of: feed) else { continue }
          let isEqual = plain(found) == plain(expected.text)
          values[index].record(
            name,
            isEqual ? nil : "\(found.debugDescription) instead of \(expected.text.debugDescription)"
          )
        } catch {
          // An encoding that isn't supported is refused with a typed error.
          let isEncoding = (error as? FieldError)?.code == .encoding
          if !isEncoding || folder != "encoding" { values[index].record(name, "\(error)") }
        }
      }
    }
    if whole.passed == 0 { whole.skipped = "feedparser/tests is missing" }
    return [whole] + values + [safety]
  }

  // MARK: Expressions

  /// The value and the text of an expectation of the form `entries[0]['title'] == u'text'`.
  private static func expectation(of data: Data) -> (path: [String], text: String)? {
    let text = String(decoding: data.filter { $0 != 0 }, as: UTF8.self)
    guard let start = text.range(of: "Expect:") else { return nil }
    var line = text[start.upperBound...].prefix { !$0.isNewline }.drop { $0 == " " }
    if line.hasPrefix("not bozo and ") { line = line.dropFirst("not bozo and ".count) }
    if line.hasPrefix("bozo and ") { line = line.dropFirst("bozo and ".count) }
    guard let equals = line.range(of: " == ") else { return nil }
    var path: [String] = []
    for part in line[..<equals.lowerBound].split(whereSeparator: { "[].".contains($0) }) {
      path.append(part.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")))
    }
    guard let literal = literal(line[equals.upperBound...]) else { return nil }
    return (path, literal)
  }

  /// The value of a literal of Python.
  private static func literal(_ source: Substring) -> String? {
    var source = source.drop { $0 == "u" }
    while source.last?.isWhitespace == true { source.removeLast() }
    guard let quote = source.first, quote == "'" || quote == "\"" else { return nil }
    var rest = source.dropFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character == quote { return rest.isEmpty ? text : nil }
      guard character == "\\", let escape = rest.popFirst() else {
        text.append(character)
        continue
      }
      let lengths: [Character: Int] = ["x": 2, "u": 4, "U": 8]
      if let length = lengths[escape] {
        guard let value = UInt32(rest.prefix(length), radix: 16), let scalar = Unicode.Scalar(value)
        else { return nil }
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        let escapes: [Character: Character] = ["n": "\n", "t": "\t", "r": "\r"]
        text.append(escapes[escape] ?? escape)
      }
    }
    return nil
  }

  /// The value that a path of feedparser names; `nil` if `FeedDocument` doesn't expose it.
  private static func value(_ path: [String], of feed: FeedDocument) -> String? {
    if path.first == "feed", path.count > 1 {
      switch path.dropFirst().joined(separator: ".") {
      case "title", "title_detail.value": return feed.title ?? ""
      case "link": return feed.link?.absoluteString ?? ""
      case "language": return feed.language ?? ""
      case let name where name.hasPrefix("author"):
        return author(Array(path.dropFirst()), in: feed.authors)
      default: return nil
      }
    }
    guard path.first == "entries", path.count > 2, let index = Int(path[1]) else { return nil }
    guard feed.items.indices.contains(index) else { return "(no item)" }
    let item = feed.items[index]
    switch path.dropFirst(2).joined(separator: ".") {
    case "title", "title_detail.value": return item.title
    case "link": return item.link?.absoluteString ?? ""
    case "id", "guid": return item.guid ?? ""
    case "description", "summary", "summary_detail.value":
      return item.description ?? item.content ?? ""
    case "content.0.value": return item.content ?? item.description ?? ""
    case "tags.0.term", "category": return item.categories.first ?? ""
    case "tags.1.term": return item.categories.dropFirst().first ?? ""
    case let name where name.hasPrefix("author"):
      return author(Array(path.dropFirst(2)), in: item.authors)
    case let name where name.hasPrefix("contributors."):
      return author(Array(path.dropFirst(2)), in: item.contributors)
    case let name where name.hasPrefix("enclosures."):
      return file(Array(path.dropFirst(3)), in: item.enclosures)
    case let name where name.hasPrefix("media_content."):
      return file(Array(path.dropFirst(3)), in: item.media.filter { $0.kind == .content })
    case let name where name.hasPrefix("media_thumbnail."):
      return file(Array(path.dropFirst(3)), in: item.media.filter { $0.kind == .thumbnail })
    default: return nil
    }
  }

  private static func author(_ path: [String], in people: [FeedPerson]) -> String? {
    let number = path.count > 1 ? Int(path[1]) : nil
    let place = number ?? 0
    guard people.indices.contains(place) else { return path.count > 1 ? "(nobody)" : nil }
    let person = people[place]
    switch path.last {
    case "name": return person.name ?? ""
    case "email": return person.email ?? ""
    case "url", "href": return person.uri ?? ""
    case "author":
      guard let name = person.name else { return person.email ?? person.uri ?? "" }
      return person.email.map { "\(name) (\($0))" } ?? name
    default: return nil
    }
  }

  private static func file(_ path: [String], in files: [FeedMedia]) -> String? {
    guard path.count == 2, let place = Int(path[0]) else { return nil }
    guard files.indices.contains(place) else { return "(no file)" }
    switch path[1] {
    case "url", "href": return files[place].rawURL
    case "type": return files[place].type ?? ""
    case "length", "filesize": return files[place].byteCount.map(String.init) ?? ""
    case "width": return files[place].width.map(String.init) ?? ""
    case "height": return files[place].height.map(String.init) ?? ""
    default: return nil
    }
  }

  private static func plain(_ text: String) -> String {
    HTMLText(text).plainText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: Safety

  /// What could do harm in the HTML of a feed's items.
  private static func danger(in data: Data) -> String? {
    guard let feed = try? FeedDocument(reading: [UInt8](data)) else { return nil }
    for item in feed.items {
      let html = HTMLText(item.title).safeHTML.lowercased() + item.text.safeHTML.lowercased()
      for tag in html.split(separator: "<").dropFirst() {
        let tag = tag.prefix { $0 != ">" }
        for word in ["script", "style", "javascript:", " on", "iframe", "object", "embed", "meta"]
        where tag.hasPrefix(word) || word.hasSuffix(":") && tag.contains(word)
          || word == " on" && tag.contains(word) && !tag.contains("\"")
        { return "<\(tag)>" }
      }
    }
    return nil
  }
}
