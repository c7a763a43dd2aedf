import Foundation

/// The program's arguments.
struct Options {
  /// The capture of SODA rows, a line each; `nil` for synthetic rows.
  private(set) var file: String?
  private(set) var names: Set<String>
  private(set) var isQuick = false
  private(set) var measuresScaling = false
  private(set) var json: String?
  private(set) var chart: String?
  private(set) var markdown: String?
  /// The day of the results.
  private(set) var date = String(Date().formatted(.iso8601).prefix(10))

  init(_ arguments: [String], names all: [String]) throws {
    names = Set(all)
    var rest = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--scaling": measuresScaling = true
      case "--json": json = try value(of: argument)
      case "--chart": chart = try value(of: argument)
      case "--markdown": markdown = try value(of: argument)
      case "--date": date = try value(of: argument)
      case "--only":
        names = Set(try value(of: argument).split(separator: ",").map(String.init))
        let unknown = names.subtracting(all)
        if !unknown.isEmpty {
          throw UsageError("unknown: \(unknown.sorted()); the names are \(all)")
        }
      case _ where argument.hasPrefix("-") || file != nil:
        throw UsageError("unknown argument \"\(argument)\"")
      default: file = argument
      }
    }
  }
}

/// The arguments can't be used.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
