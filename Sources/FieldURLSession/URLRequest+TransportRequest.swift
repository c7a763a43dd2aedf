internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLRequest {
  /// Creates the session's form of a request, reading a body in a file off the caller's actor.
  @concurrent init(_ request: TransportRequest) async throws {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    httpShouldHandleCookies = false
    // The transport enforces the deadline; this keeps the session's timeout from coming first.
    timeoutInterval = 366 * 86_400
    for (name, value) in request.fields { addValue(value, forHTTPHeaderField: name) }
    #if canImport(FoundationNetworking)
      // Half of a compressed body looks complete; see `HTTPURLResponse.hidesItsEnd`.
      if request.fields["Accept-Encoding"] == nil {
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      }
    #endif
    if let body = request.body { httpBody = Data(try body.bytes()) }
  }
}
