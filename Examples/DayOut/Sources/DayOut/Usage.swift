/// The output of `day-out help`.
enum Usage {
  /// All commands, with the options of each.
  static func text(of commands: [any Command.Type]) -> String {
    var lines = ["Usage: day-out [COMMAND] [options]", ""]
    lines += line("day-out", "takes the tour, on data that ships with the example", at: 37)
    lines += commands.flatMap {
      line("day-out \($0.name) \($0.operands)", $0.summary, at: 37)
    }
    lines += line("day-out help [COMMAND]", "shows this help, or that of a command", at: 37)
    lines += line("day-out --version", "shows the version", at: 37)
    for command in commands where !command.details.isEmpty {
      lines += ["", "of \(command.name):"] + details(of: command)
    }
    lines += examples(of: commands)
    lines += [""] + Terminal.standard.wrapped("Values in parentheses are defaults. \(note)")
    return lines.joined(separator: "\n")
  }

  /// One command.
  static func text(of command: any Command.Type) -> String {
    let call = ["day-out", command.name, command.operands].filter { !$0.isEmpty }
    var lines = ["\(call.joined(separator: " ")): \(command.summary)"]
    if !command.details.isEmpty { lines += [""] + details(of: command) }
    lines += examples(of: [command])
    if command.flags.contains("--json") { lines += ["", note] }
    return lines.joined(separator: "\n")
  }

  /// How to get at the usage, to be said after what was wrong.
  static func pointer(to command: (any Command.Type)?) -> String {
    command.map { "Run 'day-out help \($0.name)' for usage." }
      ?? "Run 'day-out help' for a list of commands."
  }

  /// The detail of every command that prints localized names.
  static let language: Command.Detail = (
    "--lang LANG", "en, zh, or ko (en): the language of names and labels"
  )

  private static let note = "Commands that take [options] also accept --json."

  private static func examples(of commands: [any Command.Type]) -> [String] {
    let examples = commands.flatMap { $0.examples }
    return examples.isEmpty ? [] : ["", "Examples:"] + examples.map { "  \($0)" }
  }

  private static func details(of command: any Command.Type) -> [String] {
    command.details.flatMap { detail in
      line("  \(detail.name)", detail.meaning.replacing("\n", with: " "), at: 18)
    }
  }

  /// Two columns, of which the right one is broken to fit the terminal. A long left one has a line of its own.
  private static func line(_ left: String, _ right: String, at column: Int) -> [String] {
    let column = min(column, Terminal.standard.width / 2)
    var lines = Terminal.standard.wrapped(right, indent: column)
    let margin = String(repeating: " ", count: max(0, column - left.count))
    guard margin.count >= 2 else {
      return [left, String(repeating: " ", count: column) + lines[0]] + lines.dropFirst()
    }
    lines[0] = left + margin + lines[0]
    return lines
  }
}
