/// What `day-out help` prints.
enum Usage {
  static func text(of commands: [any Command.Type]) -> String {
    var lines = [line("day-out", "the tour, on data that ships with the example", at: 43)]
    lines += commands.map {
      line("day-out \($0.name) \($0.operands)", $0.summary, at: 43)
    }
    for command in commands where !command.details.isEmpty {
      lines += ["", "of \(command.name):"]
      for detail in command.details {
        let meaning = detail.meaning.split(separator: "\n").map(String.init)
        lines.append(line("  \(detail.name)", meaning.first ?? "", at: 18))
        lines += meaning.dropFirst().map { line("", $0, at: 18) }
      }
    }
    lines += ["", "Where the usage says options, --json prints one JSON object."]
    return lines.joined(separator: "\n")
  }

  /// Two columns; a long word of the left one pushes the right one on.
  private static func line(_ left: String, _ right: String, at column: Int) -> String {
    left + String(repeating: " ", count: max(2, column - left.count)) + right
  }
}
