public import FieldCore
internal import FieldFakes
public import FieldPortals
public import FieldTesting
internal import Foundation
internal import Testing

/// Small answers of a portal, written down row by row.
public enum SmallSODA {
  /// A row with the fields that order it: `:id` and `:updated_at`.
  public static func row(_ number: Int, changed second: Int = 0, _ members: String) -> String {
    let time = TimestampWriter.iso8601(
      Date(timeIntervalSince1970: 1_767_225_600 + Double(second)))
    let separator = members.isEmpty ? "" : ","
    return "{\":id\":\"row-\(number)\",\":updated_at\":\"\(time)\"\(separator)\(members)}"
  }

  /// The body of an answer with these rows.
  public static func body(_ rows: [String]) -> String { "[\(rows.joined(separator: "\n,"))]\n" }

  /// Rows 0..<count of a version, all of one page size, changed at the version's time.
  public static func bodies(_ count: Int, pageSize: Int, version: Int, prefix: String = "")
    -> [String]
  {
    stride(from: 0, to: count, by: pageSize).map { first in
      body(
        (first..<min(first + pageSize, count)).map { number in
          row(
            version * 10_000 + number, changed: version * 1_000 + number,
            "\"id\":\"\(number)\",\"name\":\"\(prefix)\(number)\",\"mass\":\"\(version)\"")
        })
    } + ["[]\n"]
  }

  /// Answers page requests with these bodies, one after the other, then with no rows.
  public static func transport(
    _ operation: String, _ bodies: [String],
    also configure: (inout StubTransport.Stubs) -> Void = {
      _ in
    }
  ) -> StubTransport {
    let left = Lock(bodies)
    return StubTransport {
      configure(&$0)
      $0.on("\(operation).page") { _ in
        let body = left.withLock { $0.isEmpty ? "[]\n" : $0.removeFirst() }
        return TransportResponse(
          status: 200, fields: ["Content-Type": "application/json"], body: .text(body))
      }
    }
  }

  /// A client of a small dataset, whose waits take no time.
  public static func client(
    _ transport: any Transport, version: SODAVersion = .v2_1, token: SODAToken? = nil
  ) throws -> SODAClient {
    SODAClient(
      try SODADataset("abcd-1234", at: "data.example.org", version: version), transport: transport,
      token: token, clock: ImmediateClock())
  }
}
