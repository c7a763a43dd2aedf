import Foundation

/// The terminal that the story is printed on: its width, and whether it shows colors.
struct Terminal: Sendable {
  enum Style: String {
    case bold = "1"
    case dim = "2"
    case crossedOut = "2;9"
    case green = "32"
    case red = "31"
  }

  static let standard = Terminal()

  /// The width for prose.
  let width: Int
  /// The number of columns, or `nil` if the output isn't a terminal.
  let columns: Int?
  private let isStyled: Bool

  /// Standard output. Text is styled only on a terminal, and not if `NO_COLOR` is set.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let refusesColor = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    isStyled = isTerminal && !refusesColor
    var size = winsize()
    let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
    width = min(max(columns ?? 80, 40), 100)
  }

  func styled(_ text: String, _ style: Style) -> String {
    isStyled ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Breaks a text into lines that fit; every line but the first is indented.
  func wrapped(_ text: String, indent: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      for (number, part) in Self.parts(of: word).enumerated() {
        let longer = line + (number == 0 && !line.isEmpty ? " " : "") + part
        if line.isEmpty || indent + Table.width(longer) <= width {
          line = longer
        } else {
          lines.append(line)
          line = part
        }
      }
    }
    lines.append(line)
    let margin = String(repeating: " ", count: indent)
    return lines.enumerated().map { $0.offset == 0 ? $0.element : margin + $0.element }
  }

  /// The parts of a word between which a line may be broken: Chinese breaks at every character, but not before
  /// closing punctuation or after an opening bracket.
  private static func parts(of word: Substring) -> [String] {
    func isChinese(_ character: Character) -> Bool {
      ("\u{2E80}"..."\u{9FFF}").contains(character) || "，：；！？（）".contains(character)
    }
    var parts = [""]
    for character in word {
      if let last = parts[parts.count - 1].last, isChinese(last) || isChinese(character),
        !"，。、：；！？）」…".contains(character), !"（「".contains(last)
      {
        parts.append("")
      }
      parts[parts.count - 1].append(character)
    }
    return parts
  }
}

/// Prints a paragraph in lines that fit the terminal, all of them indented.
func say(_ text: String, indent: Int = 2) {
  let margin = String(repeating: " ", count: indent)
  print(margin + Terminal.standard.wrapped(text, indent: indent).joined(separator: "\n"))
}
