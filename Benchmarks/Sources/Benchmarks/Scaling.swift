import Foundation

/// How the cost of an operation grows with the number of rows.
struct Scaling: Encodable {
  let operation: String
  let rows: [Int]
  let nanoseconds: [Double]
  /// The highest resident memory of a process that does nothing else, in bytes.
  let peakMemory: [Double]
  /// The fitted power of the number of rows that the time is proportional to: 0 if it is constant, 1 if it is linear.
  let exponent: Double

  /// Measures each operation with 1, 10, and 22 times the rows, in new processes.
  static func measure(_ workbench: Workbench) async throws -> [Scaling] {
    let rows = [1, 10, 22].map { $0 * workbench.meteorites.count }
    var folders: [URL] = []
    for count in rows {
      folders.append(workbench.path("scaling"))
      try await Operation.prepare(folders[folders.count - 1], workbench.meteorites(count: count))
    }
    let operations: [Operation] = [.opening, .lookUp, .range, .text, .nearest, .commit]
    return try operations.map { operation in
      let costs = try folders.map { try operation.ask(in: $0, rounds: workbench.isQuick ? 1 : 20) }
      return Scaling(
        operation: operation.rawValue, rows: rows, nanoseconds: costs.map(\.nanoseconds),
        peakMemory: costs.map(\.peakMemory),
        exponent: slope(rows.map { log(Double($0)) }, costs.map { log($0.nanoseconds) }))
    }
  }

  /// The slope of the line with the least squares.
  private static func slope(_ x: [Double], _ y: [Double]) -> Double {
    let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
    let products = zip(x, y).map { ($0 - meanX) * ($1 - meanY) }
    return products.reduce(0, +) / x.map { ($0 - meanX) * ($0 - meanX) }.reduce(0, +)
  }

  static func markdown(_ scaling: [Scaling]) -> String {
    let rows = scaling[0].rows.map { "\($0) rows" }.joined(separator: " | ")
    let lines = scaling.map { line in
      let costs = zip(line.nanoseconds, line.peakMemory).map {
        "\(Unit.nanoseconds.text($0)), \(Unit.bytes.text($1))"
      }
      return "| \(line.operation) | \(costs.joined(separator: " | ")) | \(rounded(line.exponent)) |"
    }
    return """
      | CPU time and peak memory of a process | \(rows) | exponent |
      |---|---|---|---|---|
      \(lines.joined(separator: "\n"))
      """
  }
}
