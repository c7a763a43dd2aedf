/// `day-out completion`: prints a script that completes commands and options in a shell.
struct CompletionCommand: Command {
  static let name = "completion"
  static let operands = "bash|zsh|fish"
  static let summary = "prints a completion script for a shell"
  static let details: [Detail] = []
  static let examples = ["source <(day-out completion bash)"]

  private let script: String

  init(_ arguments: Arguments) throws {
    switch arguments.operands {
    case ["bash"]: script = Self.bash
    case ["zsh"]: script = "autoload -U +X bashcompinit && bashcompinit\n\(Self.bash)"
    case ["fish"]: script = Self.fish
    default: throw UsageError("completion needs one of bash, zsh, and fish")
    }
  }

  func run() async throws { print(script) }

  private static let topWords =
    DayOut.commands.map { $0.name } + ["help", "--all", "--lang", "--help", "--version"]

  private static func options(of command: any Command.Type) -> [String] {
    command.flags.union(command.values).sorted() + ["--help"]
  }

  private static var bash: String {
    let cases = DayOut.commands.map { command in
      "    \(command.name)) words=\"\(options(of: command).joined(separator: " "))\" ;;"
    }
    return """
      _day_out() {
        local words="" word=${COMP_WORDS[COMP_CWORD]}
        if [ "$COMP_CWORD" = 1 ]; then words="\(topWords.joined(separator: " "))"; fi
        if [ "$COMP_CWORD" -gt 1 ]; then case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac; fi
        if [ "${COMP_WORDS[COMP_CWORD-1]}" = --lang ]; then words="en zh ko"; fi
        COMPREPLY=($(compgen -W "$words" -- "$word"))
      }
      complete -o default -F _day_out day-out
      """
  }

  private static var fish: String {
    DayOut.commands.flatMap { command in
      [
        """
        complete -c day-out -n __fish_use_subcommand -a \(command.name) -d "\(command.summary)"
        """
      ]
        + options(of: command).map { option in
          """
          complete -c day-out -n "__fish_seen_subcommand_from \(command.name)" \
          -l \(option.dropFirst(2))\(option == "--lang" ? " -xa 'en zh ko'" : "")
          """
        }
    }.joined(separator: "\n")
  }
}
