/// One command of `day-out`: what the usage says of it, the options it knows, and what it does.
protocol Command: Sendable {
  /// The word that calls it.
  static var name: String { get }
  /// The arguments, as the usage shows them after the name.
  static var operands: String { get }
  /// A one-line description.
  static var summary: String { get }
  /// Its operands and options, each with what it means; `--json` needs no explanation.
  static var details: [Detail] { get }
  /// Complete command lines, to be shown in the help.
  static var examples: [String] { get }
  /// The options that stand alone.
  static var flags: Set<String> { get }
  /// The options that are followed by a value.
  static var values: Set<String> { get }

  init(_ arguments: Arguments) throws
  func run() async throws
}

extension Command {
  typealias Detail = (name: String, meaning: String)

  static var operands: String { "" }
  static var examples: [String] { [] }
  static var flags: Set<String> { [] }
  static var values: Set<String> { [] }
}
