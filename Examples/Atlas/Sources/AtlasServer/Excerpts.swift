import Foundation

/// The Swift code behind a view, read from the sources between marker comments.
enum Excerpts {
  static let views = [
    "own", "transit", "shell", "updates", "metro", "meteorites", "zoo", "walks", "city",
  ]

  /// A part of a file.
  struct Excerpt: Codable, Sendable {
    var file: String
    var line: Int
    var code: String
  }

  /// Returns the parts that are marked with a view's name, in the order of the files' names.
  static func excerpts(of view: String) throws -> [Excerpt] {
    let files = try FileManager.default.contentsOfDirectory(
      at: Resources.sources, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    return try files.flatMap { file in
      read(try String(contentsOf: file, encoding: .utf8), file.lastPathComponent, view)
    }
  }

  static func read(_ text: String, _ file: String, _ view: String) -> [Excerpt] {
    var found: [Excerpt] = []
    var open: (line: Int, lines: [Substring])?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let mark = line.drop { $0 == " " }
      if mark == "// atlas:begin \(view)" {
        open = (number + 2, [])
      } else if mark == "// atlas:end \(view)", let part = open {
        found.append(Excerpt(file: file, line: part.line, code: unindented(part.lines)))
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    return found
  }

  private static func unindented(_ lines: [Substring]) -> String {
    let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { $0.dropFirst(min(indent, $0.count)) }.joined(separator: "\n")
  }
}
