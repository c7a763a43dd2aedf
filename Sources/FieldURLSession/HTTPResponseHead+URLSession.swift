internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension TransportResponse.Head {
  /// Creates a head with sorted fields, because the session doesn't keep their order.
  init(_ response: HTTPURLResponse) {
    self.init(status: response.statusCode, url: response.url)
    var pairs: [(name: String, value: String)] = []
    for (name, value) in response.allHeaderFields {
      pairs.append((name: String(describing: name.base), value: String(describing: value)))
    }
    for pair in pairs.sorted(by: { $0.name < $1.name }) { fields.add(pair.value, to: pair.name) }

    // The session has decoded the body; these fields describe the encoded one.
    let codings = (fields["Content-Encoding"] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    if !codings.isEmpty && codings.allSatisfy(Self.decoded.contains) {
      fields["Content-Encoding"] = nil
      fields["Content-Length"] = nil
    }
  }

  private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate", "br"]

  /// Returns the size of the body in bytes, or `nil` if the response doesn't determine it.
  func announcedLength(to request: TransportRequest) -> Int? {
    guard request.method != .head, status != 204, status != 304, fields["Content-Encoding"] == nil,
      let length = fields["Content-Length"]
    else { return nil }
    return Int(length)
  }
}
