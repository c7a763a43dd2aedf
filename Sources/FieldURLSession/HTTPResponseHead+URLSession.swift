internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension TransportResponse.Head {
  /// Makes the head of an answer, in the order of the fields' names, since the session forgets theirs.
  init(_ response: HTTPURLResponse) {
    self.init(status: response.statusCode, url: response.url)
    var pairs: [(name: String, value: String)] = []
    for (name, value) in response.allHeaderFields {
      pairs.append((name: String(describing: name.base), value: String(describing: value)))
    }
    for pair in pairs.sorted(by: { $0.name < $1.name }) { fields.add(pair.value, to: pair.name) }

    // The session has decoded the body, and these fields are about the bytes before that.
    let codings = (fields["Content-Encoding"] ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    if !codings.isEmpty && codings.allSatisfy(Self.decoded.contains) {
      fields["Content-Encoding"] = nil
      fields["Content-Length"] = nil
    }
  }

  private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate", "br"]

  /// How many bytes the body must have, when the answer says so and it can be told.
  func announcedLength(to request: TransportRequest) -> Int? {
    guard request.method != .head, status != 204, status != 304, fields["Content-Encoding"] == nil,
      let length = fields["Content-Length"]
    else { return nil }
    return Int(length)
  }
}
