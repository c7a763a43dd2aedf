package import FieldCore
internal import FieldFoundation

/// The decoded items of a query or of a form, in order.
package struct QueryItems {
  package let items: [(name: String, value: String)]

  init(_ text: String) {
    items = text.split(separator: "&").map { item in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? PercentEncoding.decoded(pair[1]) : ""
      return (PercentEncoding.decoded(pair[0]), value)
    }
  }

  package subscript(name: String) -> String? { items.last { $0.name == name }?.value }
  package func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }
}

extension TransportRequest {
  /// The query, still encoded.
  var queryText: String { url.query(percentEncoded: true) ?? "" }

  /// The items of the query.
  package var query: QueryItems { QueryItems(queryText) }

  var form: QueryItems {
    get throws { QueryItems(String(decoding: try body?.bytes() ?? [], as: UTF8.self)) }
  }

  /// The token in the `Authorization` field.
  package var bearer: String? {
    fields["Authorization"]?.split(separator: " ").last.map(String.init)
  }
}
