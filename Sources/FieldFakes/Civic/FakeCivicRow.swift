internal import FieldCore

/// A row on the fake sync server.
struct FakeCivicRow: Sendable {
  /// The columns that make up the key of each table.
  static let keys: [String: [String]] = [
    "administrativeUnit": ["unitId"],
    "administrativeUnitCategory": ["categoryId"],
    "administrativeUnitInCategory": ["unitId", "categoryId"],
    "keyword": ["keywordId"],
    "inKeyword": ["id", "keywordId"],
    "edm": ["edmId"],
    "hot": ["id"],
    "mobileApp": ["appId"],
  ]

  let key: [String]
  /// A Boolean value that indicates whether the row links two others, and is returned together with
  /// those of its owner.
  let isLink: Bool
  private(set) var changedAt: Int64
  private var members: [JSONValue.Member]
  private var isDeleted = false

  init(_ value: JSONValue, in table: String, now: Int64) throws {
    guard let keys = Self.keys[table], case .object(let members) = value else {
      throw FieldError(.invalidInput, "The table \(table) doesn't accept such a row.")
    }
    key = keys.map { name in
      let cell = members.last { $0.key == name }?.value
      return if case .number(let text)? = cell { text } else { cell?.string ?? "" }
    }
    isLink = keys.count == 2
    let stamp = members.last { $0.key.lowercased() == "lastupdatetime" }?.value.int64
    changedAt = stamp ?? now
    self.members = members.filter { $0.key.lowercased() != "lastupdatetime" }
  }

  var owner: String { key.first ?? "" }

  mutating func delete(at now: Int64) {
    isDeleted = true
    changedAt = now
  }

  /// The row in the server's format.
  var text: String {
    var row = JSONValue.object(members)
    row["lastUpdateTime"] = .number(String(changedAt))
    row["isDelete"] = .number(isDeleted ? "1" : "0")
    return row.canonicalText
  }
}
