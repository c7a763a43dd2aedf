internal import FieldCore
public import FieldFoundation

extension FakeTaipeiOpenData {
  /// A dataset with one of its IDs.
  public struct Dataset: Sendable {
    /// The ID of the data, which the portal calls `rid`.
    public var resource: String
    /// The members of each row, in order.
    private var rows: [[Member]]

    /// A member of a row, with its value both as JSON and as text.
    private typealias Member = (name: String, json: String, text: String)

    /// Creates a dataset from rows of text.
    ///
    /// Each row gets an `_id` from its position and, if a date is given, an `_importdate`.
    ///
    /// - Parameters:
    ///   - resource: The ID of the data.
    ///   - rows: The columns of each row and their texts.
    ///   - importedAt: The date when the portal imported the rows; `nil` for rows without that
    ///     date, as in the past.
    public init(
      _ resource: String, rows: [KeyValuePairs<String, String>], importedAt: Date? = nil
    ) {
      self.resource = resource
      self.rows = rows.enumerated().map { index, row in
        var members = [Member("_id", "\(index + 1)", "\(index + 1)")]
        if let importedAt {
          let text =
            "\(FakeTime.spaced(Int64(importedAt.timeIntervalSince1970))).\(100_000 + index)"
          let json = #"{"date":"\#(text)","timezone_type":3,"timezone":"Asia/Taipei"}"#
          members.append(("_importdate", json, text))
        }
        return members + row.map { ($0.key, FakeJSON.quoted($0.value), $0.value) }
      }
    }

    /// Creates a dataset from the rows of a captured response, unchanged.
    ///
    /// - Parameters:
    ///   - resource: The ID of the data.
    ///   - capture: A response from one of the portal's APIs, or a plain array of rows.
    /// - Throws: `FieldError` with the code `input.invalid` if it contains no rows.
    public init(_ resource: String, capture: [UInt8]) throws {
      let bytes = capture.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(capture.dropFirst(3)) : capture
      let value = FakeJSON.read(bytes)
      guard case .array(let elements, _)? = value?["result"]?["results"] ?? value else {
        throw FieldError(.invalidInput, "The capture has no rows.")
      }
      self.resource = resource
      rows = elements.map { element in
        guard case .object(let members, _) = element else { return [] }
        return members.map { ($0.key, $0.value.json, $0.value.word ?? "") }
      }
    }

    /// The number of rows.
    public var rowCount: Int { rows.count }

    /// Returns a dataset with only the rows at some positions, such as the first ten.
    public func only(_ places: Range<Int>) -> Dataset {
      var part = self
      part.rows = Array(rows[places.clamped(to: rows.indices)])
      return part
    }

    func page(limit: Int, offset: Int, matching text: String) -> TransportResponse {
      let found =
        text.isEmpty ? rows : rows.filter { row in row.contains { $0.text.contains(text) } }
      let page = FakeTaipeiOpenData.page(found, limit: limit, offset: offset) { row in
        var members = row.map { "\(FakeJSON.quoted($0.name)):\($0.json)" }
        if !text.isEmpty {
          members += ["\"rank\":0.0573088", "\"_full_count\":\"\(found.count)\""]
        }
        return "{\(members.joined(separator: ","))}"
      }
      return .json(
        page,
        fields: [
          "Cache-Control": "no-store, no-cache, must-revalidate",
          "Expires": "Thu, 19 Nov 1981 08:52:00 GMT",
        ])
    }

    /// The file of the rows: CSV with a byte-order mark and CRLF, without the portal's own columns.
    var csv: [UInt8] {
      let names = (rows.first ?? []).map(\.name).filter { !$0.hasPrefix("_") }
      let lines = rows.map { row in
        names.map { name in (row.first { $0.name == name }?.text ?? "").csvCell }
          .joined(separator: ",")
      }
      let header = names.map { $0.replacing("\u{FEFF}", with: "").csvCell }
      return [0xEF, 0xBB, 0xBF]
        + Array(([header.joined(separator: ",")] + lines).map { $0 + "\r\n" }.joined().utf8)
    }
  }

  /// Returns a page of rows in the portal's envelope.
  static func page<Row>(_ rows: [Row], limit: Int, offset: Int, _ json: (Row) -> String) -> String {
    let page = rows.dropFirst(offset).prefix(limit).map(json).joined(separator: ",")
    return "{\"result\":{\"limit\":\(limit),\"offset\":\(offset),\"count\":\(rows.count),"
      + "\"sort\":\"\",\"results\":[\(page)]}}"
  }
}

extension QueryItems {
  /// Returns the requested page of data.taipei.
  func page(defaultLimit: Int, cap: Int) -> (limit: Int, offset: Int) {
    (min(max(integer("limit") ?? defaultLimit, 0), cap), max(integer("offset") ?? 0, 0))
  }
}

extension FakeJSON {
  fileprivate var json: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .array(_, let text), .object(_, let text): text
    }
  }
}
