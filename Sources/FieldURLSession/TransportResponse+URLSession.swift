internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension TransportResponse.Head {
  /// Creates a head with sorted fields, because the session doesn't keep their order.
  init(_ response: HTTPURLResponse) {
    self.init(status: response.statusCode, url: response.url)
    let pairs = response.allHeaderFields.map { ("\($0.base)", "\($1)") }
    for (name, value) in pairs.sorted(by: { $0.0 < $1.0 }) { fields.add(value, to: name) }

    // The session has decoded the body; these fields describe the encoded one.
    if response.isDecoded {
      fields["Content-Encoding"] = nil
      fields["Content-Length"] = nil
    }
  }
}

extension HTTPURLResponse {
  private static let decoded: Set<String> = ["gzip", "x-gzip", "deflate", "br"]

  /// A Boolean value that indicates whether the session decodes the body.
  fileprivate var isDecoded: Bool {
    let codings = (value(forHTTPHeaderField: "Content-Encoding") ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    return !codings.isEmpty && codings.allSatisfy(Self.decoded.contains)
  }

  /// A Boolean value that indicates whether the session can't tell half of the body from all of it.
  ///
  /// On Linux, libcurl decodes the body and doesn't check that the compressed data is complete. Only
  /// `Content-Length` shows that: a chunked body may end in order with half of a gzip file.
  var hidesItsEnd: Bool {
    #if canImport(FoundationNetworking)
      isDecoded
        && (value(forHTTPHeaderField: "Content-Length") == nil
          || value(forHTTPHeaderField: "Transfer-Encoding") != nil)
    #else
      false
    #endif
  }
}
