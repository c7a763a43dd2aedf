internal import FieldCore

extension FakeSODAServer {
  /// The faults of a server, and the requests that they affect.
  ///
  /// ```swift
  /// server.faults.append(.status(503), onRequests: 2...3)
  /// server.faults.append(.truncatedBody(after: 100), onRequest: 5)
  /// server.faults.append(.invalidToken) { $0.token == "old" }
  /// server.faults.append(.seeded(7, rate: 0.1, [.drop(), .status(500)]))
  /// ```
  ///
  /// All faults that affect a request apply: latencies add up, then the first fault that stops the
  /// request applies, and then those that change the response.
  public struct Faults: Sendable {
    private struct Rule: Sendable {
      var plan: FaultPlan
      var isConcerned: @Sendable (ReceivedRequest) -> Bool
      var seen = 0
    }

    private var rules: [Rule] = []
    /// The number of faults that occurred.
    public private(set) var metCount = 0

    /// Creates an empty list of faults.
    public init() {}

    /// Adds a fault that affects the requests with these numbers, from 1.
    public mutating func append(
      _ fault: Fault, onRequests numbers: some RangeExpression<Int> & Sendable
    ) { append(fault) { numbers.contains($0.number) } }

    /// Adds a fault that affects the request with this number, from 1.
    public mutating func append(_ fault: Fault, onRequest number: Int) {
      append(fault, onRequests: number...number)
    }

    /// Adds a fault that affects the requests that a closure selects.
    public mutating func append(
      _ fault: Fault, when isConcerned: @escaping @Sendable (ReceivedRequest) -> Bool
    ) { rules.append(Rule(plan: .always(fault), isConcerned: isConcerned)) }

    /// Adds a plan, which counts the requests that it applies to from now on.
    public mutating func append(_ plan: FaultPlan) {
      rules.append(Rule(plan: plan, isConcerned: { _ in true }))
    }

    /// Removes all faults.
    public mutating func removeAll() { rules = [] }

    /// Returns the faults that affect a request, in the order in which they were added.
    mutating func meet(_ received: ReceivedRequest, _ request: TransportRequest) -> [Fault.Kind] {
      var faults: [Fault.Kind] = []
      for index in rules.indices
      where rules[index].isConcerned(received) && rules[index].plan.isConcerned(request) {
        rules[index].seen += 1
        if let fault = rules[index].plan.faultFor(rules[index].seen) { faults.append(fault.kind) }
      }
      metCount += faults.count
      return faults
    }
  }
}

extension Fault {
  /// A response of 202 instead of the rows: the portal is still processing the request.
  public static var stillProcessing: Fault {
    .json(202, #"{"status":"processing","message":"Request Processing"}"#)
  }

  /// Returns a response of 429 whose `Retry-After` is unchanged: seconds, a date, or invalid.
  public static func tooManyRequests(retryAfter: String? = nil) -> Fault {
    var fields: HTTPHeaderFields = ["Content-Type": "application/json; charset=utf-8"]
    fields["Retry-After"] = retryAfter
    return .status(
      429, fields: fields,
      body: .text(#"{"code":"too-many-requests","error":true,"message":"Too many requests"}"#))
  }

  /// A response of 403 because the portal doesn't know the token.
  public static var invalidToken: Fault {
    .json(
      403, #"{"code":"permission_denied","error":true,"message":"Invalid app_token specified"}"#)
  }

  /// A response of 404 because the dataset was withdrawn.
  public static var retiredDataset: Fault {
    .json(404, #"{"code":"dataset.missing","error":true,"message":"Not found"}"#)
  }

  /// A response of 200 with an HTML page, such as from a proxy or a hotel's network.
  public static var webPage: Fault {
    .status(
      200, fields: ["Content-Type": "text/html; charset=utf-8"],
      body: .text("<!DOCTYPE html>\n<html><body><h1>Sign in</h1></body></html>\n"))
  }

  /// A response of 403 with XML, such as from an S3 bucket.
  public static var bucketDenial: Fault {
    .status(
      403, fields: ["Content-Type": "application/xml"],
      body: .text(
        #"<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code>"#
          + "<Message>Access Denied</Message></Error>"))
  }

  /// Returns a response of 200 with a JSON object instead of rows.
  public static func object(_ json: String = #"{"success":true}"#) -> Fault { .json(200, json) }

  /// Returns a verbatim JSON response with a status.
  public static func json(_ status: Int, _ json: String) -> Fault {
    .status(status, fields: ["Content-Type": "application/json; charset=utf-8"], body: .text(json))
  }
}
