public import FieldCore

/// A page of rows of a query, each read into a type.
public struct SODATypedPage<Row: Sendable>: Sendable {
  /// The rows that could be read.
  public var rows: [Row]
  /// The rows that could not be read, with their keys and the column that stood against it.
  public var failures: [RowFailure]
  /// Where the next page begins, to go on from another time; nil when this is the last one.
  public var next: SODAResumeToken?
}

extension SODATypedPage: Codable where Row: Codable {}

extension SODATypedPage where Row: Decodable {
  /// Reads each row of a page.
  @concurrent
  init(_ page: SODAPage) async {
    var failures = page.failures
    var rows: [Row] = []
    rows.reserveCapacity(page.rows.count)
    // Rows that failed before have no place among the others, so places and row numbers drift apart.
    let failedBefore = Set(failures.map(\.index))
    var index = -1
    for row in page.rows {
      repeat { index += 1 } while failedBefore.contains(index)
      do {
        rows.append(try SODARowDecoder(node: .row(row), codingPath: []).value(Row.self))
      } catch {
        failures.append(
          RowFailure(index: index, key: row.id.rawValue, reason: SODARow.reason(error)))
      }
    }
    failures.sort { $0.index < $1.index }
    self.init(rows: rows, failures: failures, next: page.next)
  }
}
