import FieldKit
import Foundation

/// A self-contained page: no scripts, and no URLs of other hosts.
struct HTMLPage {
  private let title: String
  private let language: TextLanguage
  private var body = ""

  /// Creates a page whose sentences are in a language.
  init(title: String, language: TextLanguage = .english) {
    self.title = title
    self.language = language
  }

  mutating func heading(_ text: String) { body += "<h2>\(marked(text))</h2>\n" }

  mutating func paragraph(_ text: String) { body += "<p>\(marked(text))</p>\n" }

  mutating func note(_ text: String) { body += "<p class=\"note\">\(marked(text))</p>\n" }

  mutating func figure(_ svg: String, caption: String) {
    body += """
      <figure><div class="wide">\(svg)</div><figcaption>\(marked(caption))</figcaption></figure>

      """
  }

  /// Adds a table, which scrolls sideways by itself if it is wider than the page.
  mutating func table(caption: String, _ head: [String], _ rows: [[String]]) {
    func row(_ cells: [String], _ open: String, _ close: String) -> String {
      "<tr>" + cells.map { "<\(open)>\(marked($0))</\(close)>" }.joined() + "</tr>\n"
    }
    body += """
      <div class="wide"><table><caption>\(marked(caption))</caption>
      <thead>\(row(head, "th scope=\"col\"", "th"))</thead>
      <tbody>\(rows.map { row($0, "td", "td") }.joined())</tbody></table></div>

      """
  }

  func write(to file: URL) throws {
    let page = """
      <!DOCTYPE html>
      <html lang="\(language)"><head><meta charset="utf-8"><title>\(Self.escaped(title))</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <style>
      :root { color-scheme: light dark; --text: #1d2433; --page: #fbfaf7; --soft: #596070;
        --line: #d9d5c8; }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e6e4dd; --page: #171a21; --soft: #a3a9b7; --line: #3a3f4b;
          --map: #20252e; --edge: #171a21; --sea: #1b2530; --land: #343a3f; --shore: #596066;
          --grid: #31404d; --area: #2f4233; --area-text: #b5d3a4; --warm: #ff9a5c; --cool: #8fb4e3;
          --start: #7fce94; --point: #ff8f85; --lit: 70%; }
      }
      body { font: 16px/1.5 system-ui, "Noto Sans CJK TC", "Noto Sans CJK KR", sans-serif; max-width: 64rem; margin: 2rem auto;
        padding: 0 1rem; color: var(--text); background: var(--page); overflow-wrap: anywhere; }
      h1, h2 { font-weight: 600; letter-spacing: -0.01em; line-height: 1.25; }
      figure { margin: 1rem 0; } .wide { overflow-x: auto; }
      svg { display: block; width: 100%; max-width: 60rem; height: auto; border-radius: 6px;
        fill: var(--text); }
      svg[viewBox^="0 0 960"] { min-width: 52rem; }
      figcaption, caption, .note { color: var(--soft); font-size: 0.875rem; text-align: left; }
      table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: 0.9375rem; }
      th, td { text-align: left; padding: 0.3rem 0.75rem 0.3rem 0; vertical-align: top;
        border-bottom: 1px solid var(--line); min-width: 5rem; }
      </style></head><body>
      <h1>\(Self.escaped(title))</h1>
      \(body)</body></html>

      """
    try Data(page.utf8).write(to: file)
  }

  /// Returns a line's color for a style: as it is on a light page, and lighter on a dark one.
  ///
  /// The drawings' other colors are variables, too: those of a dark page, or the given ones.
  static func lit(_ color: String) -> String {
    "color-mix(in oklab, \(escaped(color)) var(--lit, 100%), white)"
  }

  private func marked(_ text: String) -> String {
    Self.marked(text, with: "span", in: language)
  }

  /// Escapes a text, and marks what is Chinese or Korean in it, so that fonts and voices fit; what is in the
  /// page's own language needs no mark.
  static func marked(_ text: String, with tag: String, in pageLanguage: TextLanguage) -> String {
    var result = ""
    var run = ""
    var language: String?
    func finish() {
      let text = escaped(run)
      result += language.map { "<\(tag) lang=\"\($0)\">\(text)</\(tag)>" } ?? text
      run = ""
    }
    for character in text {
      let tag = Self.language(of: character)
      let next = tag == pageLanguage.rawValue ? nil : tag
      if next != language {
        finish()
        language = next
      }
      run.append(character)
    }
    finish()
    return result
  }

  private static func language(of character: Character) -> String? {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: "ko"
    case 0x2E80...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFFEF: "zh-Hant"
    default: nil
    }
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
