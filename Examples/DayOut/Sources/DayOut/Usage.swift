/// The output of `day-out help`.
enum Usage {
  /// All commands, with the options of each.
  static func text(of commands: [any Command.Type]) -> String {
    var lines = ["Usage: day-out [COMMAND] [options]", ""]
    lines += [line("day-out", "takes the tour, on data that ships with the example", at: 43)]
    lines += commands.map {
      line("day-out \($0.name) \($0.operands)", $0.summary, at: 43)
    }
    lines += [line("day-out help [COMMAND]", "shows this help, or that of a command", at: 43)]
    lines += [line("day-out --version", "shows the version", at: 43)]
    for command in commands where !command.details.isEmpty {
      lines += ["", "of \(command.name):"] + details(of: command)
    }
    lines += examples(of: commands)
    lines += ["", "Values in parentheses are defaults. \(note)"]
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

  private static let note = "Commands that take [options] also accept --json."

  private static func examples(of commands: [any Command.Type]) -> [String] {
    let examples = commands.flatMap { $0.examples }
    return examples.isEmpty ? [] : ["", "Examples:"] + examples.map { "  \($0)" }
  }

  private static func details(of command: any Command.Type) -> [String] {
    command.details.flatMap { detail in
      let meaning = detail.meaning.split(separator: "\n").map(String.init)
      return [line("  \(detail.name)", meaning.first ?? "", at: 18)]
        + meaning.dropFirst().map { line("", $0, at: 18) }
    }
  }

  /// Two columns; a long word of the left one pushes the right one on.
  private static func line(_ left: String, _ right: String, at column: Int) -> String {
    left + String(repeating: " ", count: max(2, column - left.count)) + right
  }
}
