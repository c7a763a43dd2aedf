public import FieldCore
public import FieldFoundation

extension FakeSODAServer {
  /// A request as received by the server.
  public struct ReceivedRequest: Sendable, Hashable {
    /// The number of the request, from 1.
    public let number: Int
    /// The HTTP method.
    public let method: TransportRequest.Method
    /// The exact URL.
    public let url: URL
    /// The parameters of the query, decoded, in order.
    public let parameters: [Parameter]
    /// The header fields.
    public let fields: HTTPHeaderFields
    /// The body.
    public let body: [UInt8]
    /// The operation that the client assigned to the request.
    public let operation: String

    /// A parameter of a query.
    public struct Parameter: Sendable, Hashable {
      /// The name, such as `$where`.
      public let name: String
      /// The value.
      public let value: String
    }

    init(_ request: TransportRequest, number: Int) throws {
      self.number = number
      method = request.method
      url = request.url
      fields = request.fields
      body = try request.body?.bytes() ?? []
      operation = request.operation
      parameters = QueryItems(request.queryText.replacing("+", with: " ")).items
        .map { Parameter(name: $0.name, value: $0.value) }
    }

    /// Returns the value of the first parameter with a name.
    public subscript(parameter name: String) -> String? {
      parameters.first { $0.name == name }?.value
    }

    /// The body as text.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The app token, from the header field or otherwise from the URL.
    public var token: String? { fields["X-App-Token"] ?? tokensInAddress.first }

    /// The app tokens in the URL, where they end up in logs; a well-behaved client sends none.
    public var tokensInAddress: [String] {
      parameters.filter { $0.name == "$$app_token" || $0.name == "app_token" }.map(\.value)
    }

    /// The decoded segments of the path.
    var path: [String] { url.path.split(separator: "/").map(String.init) }
  }
}
