import Foundation

/// A self-contained page: no scripts, and no URLs of other hosts.
struct HTMLPage {
  private let title: String
  private var body = ""

  init(title: String) { self.title = title }

  mutating func heading(_ text: String) { body += "<h2>\(Self.escaped(text))</h2>\n" }

  mutating func note(_ text: String) { body += "<p class=\"note\">\(Self.escaped(text))</p>\n" }

  mutating func figure(_ svg: String, caption: String) {
    body += "<figure>\(svg)<figcaption>\(Self.escaped(caption))</figcaption></figure>\n"
  }

  mutating func table(_ head: [String], _ rows: [[String]]) {
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>" + cells.map { "<\(tag)>\(Self.escaped($0))</\(tag)>" }.joined() + "</tr>\n"
    }
    body += "<table>\(row(head, "th"))\(rows.map { row($0, "td") }.joined())</table>\n"
  }

  func write(to file: URL) throws {
    let page = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>\(Self.escaped(title))</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem;
        color: #1d2433; background: #fbfaf7; }
      h1, h2 { font-weight: 600; letter-spacing: -0.01em; }
      figure { margin: 1rem 0; } svg { width: 100%; height: auto; border-radius: 6px; }
      figcaption, .note { color: #667; font-size: 0.875rem; }
      table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: 0.9375rem; }
      th, td { text-align: left; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid #e4e1d8;
        vertical-align: top; }
      </style></head><body>
      <h1>\(Self.escaped(title))</h1>
      \(body)</body></html>

      """
    try Data(page.utf8).write(to: file)
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
