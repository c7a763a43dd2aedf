import FieldCore
@testable import FieldXML
import Foundation
import TestSupport
import Testing

/// Documents that mean one thing to whoever checks them and another to whoever reads them: encodings within
/// encodings, marks of one before another, declarations that lie. Set `FIELDKIT_FUZZ_SEEDS` to the number
/// of seeds to run.
@Suite("A document in nested encodings", .timeLimit(.minutes(60)))
struct XMLFuzzTests {
  private static let seeds: ClosedRange<UInt64> = {
    let text = ProcessInfo.processInfo.environment["FIELDKIT_FUZZ_SEEDS"] ?? ""
    return 1...max(1, UInt64(text) ?? UInt64(Sample.rounds(4, 1)))
  }()

  @Test(
    "a document in nested encodings neither crashes the process nor introduces forbidden content",
    arguments: seeds)
  func nested(seed: UInt64) throws {
    var maker = HostileMaker(seed: seed)
    for number in 0..<Sample.rounds(400, 100) {
      let (bytes, charset) = maker.document()
      let place = "seed \(seed), document \(number)"
      try check(place) {
        let log = EventLog()
        _ = try XMLReader().read(bytes, charset: charset, into: log)
        return log.texts
      }
      try check(place) {
        let log = EventLog()
        let faults = try XMLReader().repair(bytes, charset: charset, into: log)
        return log.texts + faults.map(\.description)
      }
      try check(place) {
        let feed = try FeedDocument(reading: bytes, charset: charset)
        return feed.items.flatMap { [$0.title, $0.description ?? "", $0.content ?? ""] }
          + feed.failures.flatMap { [$0.excerpt, $0.reason, $0.key ?? ""] }
      }
      try check(place) {
        let file = try GPXDocument(data: Data(bytes))
        return file.waypoints.compactMap(\.name) + file.tracks.compactMap(\.name)
          + (file.failures + file.unreadableValues).map(\.excerpt)
      }
    }
  }

  @Test(
    "a document in nested encodings is read if it is evident, and is a typed error if not",
    arguments: [
      ("UTF-32LE without a mark", HostileMaker.wide(text, 4, false), true),
      ("UTF-32BE without a mark", HostileMaker.wide(text, 4, true), true),
      ("UTF-32LE with a mark", HostileMaker.wide("\u{FEFF}" + text, 4, false), true),
      ("UTF-32BE with a mark", HostileMaker.wide("\u{FEFF}" + text, 4, true), true),
      (
        "UTF-16LE after a UTF-8 mark", [0xEF, 0xBB, 0xBF] + HostileMaker.wide(text, 2, false), true
      ),
      ("UTF-16BE after a UTF-8 mark", [0xEF, 0xBB, 0xBF] + HostileMaker.wide(text, 2, true), true),
      ("UTF-32LE after a UTF-16 mark", [0xFF, 0xFE] + HostileMaker.wide(text, 4, false), true),
      ("UTF-32BE after a UTF-16 mark", [0xFE, 0xFF] + HostileMaker.wide(text, 4, true), true),
      (
        "UTF-16LE after a blank line and a UTF-8 mark",
        [0x0D, 0x0A, 0xEF, 0xBB, 0xBF] + HostileMaker.wide(text, 2, false), true
      ),
      ("zeros", [UInt8](repeating: 0, count: 64) + Array(text.utf8), false),
    ])
  func evident(name: String, bytes: [UInt8], isRead: Bool) throws {
    let log = EventLog()
    let fault = Result { try XMLReader().read(bytes, into: log) }
    guard isRead else {
      #expect(throws: FieldError.self) { try fault.get() }
      return
    }
    #expect(try fault.get() == nil, "\(name)")
    #expect(log.events == ["<r>", "臺南😀", "</r>"], "\(name)")
  }

  private static let text = "<?xml version='1.0' encoding='utf-8'?><?p?><r>臺南😀</r>"

  @Test(
    "a document in nested encodings that declares an entity is rejected in every supported form",
    arguments: [(1, false), (2, false), (2, true), (4, false), (4, true)],
    [[], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
  func entities(form: (width: Int, isBigEndian: Bool), mark: [UInt8]) {
    let text = "<?xml version='1.0'?><?p?><!DOCTYPE r [<!ENTITY x 'EXPANDED'>]><r>&x;</r>"
    let bytes = mark + HostileMaker.wide(text, form.width, form.isBigEndian)
    let log = EventLog()
    #expect(throws: FieldError.self) { try XMLReader().read(bytes, into: log) }
    #expect(throws: FieldError.self) { try FeedDocument(reading: bytes) }
    #expect(!log.text.contains("EXPANDED"))
  }

  private func check(_ place: String, _ read: () throws -> [String]) throws {
    do {
      for text in try read() {
        // The declaration itself may be text, in CDATA.
        #expect(!text.replacing("<!ENTITY x 'EXPANDED", with: "").contains("EXPANDED"), "\(place)")
        #expect(!text.unicodeScalars.contains { Self.isForbidden($0) }, "\(place): \(text)")
      }
    } catch let error as FieldError {
      #expect(
        !error.message.unicodeScalars.contains { $0.properties.generalCategory == .control },
        "\(place)")
    }
  }

  /// Whether XML 1.0 forbids a character.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar)
      || scalar.value & 0xFFFE == 0xFFFE && scalar.value < 0x10000
  }
}

extension EventLog {
  /// The texts and the values of attributes.
  fileprivate var texts: [String] { events + tags.flatMap { $0.attributes.values } }
}

/// Makes hostile documents.
struct HostileMaker {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The text in characters of a width in bytes, where 1 means UTF-8.
  static func wide(_ text: String, _ width: Int, _ isBigEndian: Bool) -> [UInt8] {
    let units =
      width == 1
      ? text.utf8.map(UInt32.init)
      : width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
    return units.flatMap { unit -> [UInt8] in
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> ($0 * 8)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  mutating func document() -> (bytes: [UInt8], charset: String?) {
    var bytes = Self.wide(text(), pick([1, 1, 2, 2, 4]), pick([true, false]))
    // Each byte of one encoding as a character of another.
    for _ in 0..<pick([0, 0, 1, 1, 2]) {
      let width = pick([2, 4])
      let isBigEndian = pick([true, false])
      bytes = bytes.flatMap { byte -> [UInt8] in
        let zeros = [UInt8](repeating: 0, count: width - 1)
        return isBigEndian ? zeros + [byte] : [byte] + zeros
      }
      if bytes.count > 20_000 { break }
    }
    let marks: [[UInt8]] = [
      [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF],
      [0x0D, 0x0A], [0x20], [0], [0x0A, 0], [0x2B, 0x2F, 0x76, 0x38, 0x2D],
    ]
    for _ in 0..<pick([0, 1, 1, 2, 3]) { bytes = pick(marks) + bytes }
    for _ in 0..<pick([0, 0, 0, 1, 3]) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch pick([0, 1, 2]) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.insert(0, at: at)
      default: bytes.remove(at: at)
      }
    }
    return (bytes, pick([nil, nil, "utf-16", "utf-32", "big5", "utf-8", "iso-8859-1", "utf-7"]))
  }

  private mutating func text() -> String {
    let encodings = ["utf-8", "utf-16", "utf-16le", "UCS-4", "UTF-32", "big5", "utf-7", "x", ""]
    let name = pick(["rss", "gpx", "feed", "r"])
    var text = pick([
      "", "", "<?xml?>", "<?xml version='1.0' encoding='\(pick(encodings))'?>",
      "<?xml version='1.0'?><?xml version='1.0' encoding='\(pick(encodings))'?>",
    ])
    for _ in 0..<pick([0, 1, 2]) {
      text += pick([
        "<?p?>", "<!--<?p?>-->", "<!DOCTYPE \(name) SYSTEM 'file:///etc/passwd'>",
        "<!DOCTYPE \(name) [<!ENTITY x 'EXPANDED'>]>", "<!DOCTYPE \(name)>", "\u{0}", "\u{FEFF}",
      ])
    }
    text += "<\(name)>"
    for _ in 0..<pick([1, 2, 4]) {
      text += pick([
        "<?p?>", "<?xml version='1.0' encoding='\(pick(encodings))'?>", "&x;", "&#0;", "&#x1F;",
        "<!DOCTYPE \(name) [<!ENTITY x 'EXPANDED'>]>", "\u{0}", "\u{0}\u{0}", "\u{1}", "\u{FFFE}",
        "<channel><item><title>臺南😀&x;\u{0}</title><description><?p?></description></item></channel>",
        "<entry><title type='xhtml'><?p?>\u{0}</title><link href='\u{0}&x;'/></entry>",
        "<wpt lat='1\u{0}' lon='2'><name>山&x;\u{1}</name><ele>\u{0}</ele></wpt>", "]]>",
        "<![CDATA[",
        "<b a='<?p?>' c=\u{0}>", "</", "<\u{0}", "<a\u{0}b/>",
      ])
    }
    return text + pick(["</\(name)>", "", "</x>", "<?p?>", "</\(name)><?p?>\u{0}"])
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
