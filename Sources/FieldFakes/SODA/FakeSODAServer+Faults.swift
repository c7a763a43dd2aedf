internal import FieldCore

extension FakeSODAServer {
  /// What goes wrong, and with which requests.
  ///
  /// ```swift
  /// server.faults.append(.status(503), onRequests: 2...3)
  /// server.faults.append(.truncatedBody(after: 100), onRequest: 5)
  /// server.faults.append(.invalidToken) { $0.token == "old" }
  /// server.faults.append(.seeded(7, rate: 0.1, [.drop(), .status(500)]))
  /// ```
  ///
  /// All that concern a request are met: latencies add up, then the first that stops the request
  /// counts, then what is done to the answer.
  public struct Faults: Sendable {
    private struct Rule: Sendable {
      var plan: FaultPlan
      var isConcerned: @Sendable (ReceivedRequest) -> Bool
      var seen = 0
    }

    private var rules: [Rule] = []
    /// How many faults were met.
    public private(set) var metCount = 0

    /// Nothing goes wrong.
    public init() {}

    /// Lets the requests with these numbers, from 1, meet a fault.
    public mutating func append(
      _ fault: Fault, onRequests numbers: some RangeExpression<Int> & Sendable
    ) {
      append(fault) { numbers.contains($0.number) }
    }

    /// Lets the request with this number, from 1, meet a fault.
    public mutating func append(_ fault: Fault, onRequest number: Int) {
      append(fault, onRequests: number...number)
    }

    /// Lets the requests meet a fault that the closure picks.
    public mutating func append(
      _ fault: Fault, when isConcerned: @escaping @Sendable (ReceivedRequest) -> Bool
    ) {
      rules.append(Rule(plan: .always(fault), isConcerned: isConcerned))
    }

    /// Lets requests meet faults by a plan, which counts from now on the requests that it is about.
    public mutating func append(_ plan: FaultPlan) {
      rules.append(Rule(plan: plan, isConcerned: { _ in true }))
    }

    /// From now on nothing goes wrong.
    public mutating func removeAll() { rules = [] }

    /// The faults that a request meets, in the order in which they were appended.
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
  /// 202: the portal is still at work, and says so instead of the rows.
  public static var stillProcessing: Fault {
    .json(202, #"{"status":"processing","message":"Request Processing"}"#)
  }

  /// 429 with `Retry-After` as it is given: seconds, a date, or nonsense.
  public static func tooManyRequests(retryAfter: String? = nil) -> Fault {
    var fields: HTTPHeaderFields = ["Content-Type": "application/json; charset=utf-8"]
    fields["Retry-After"] = retryAfter
    return .status(
      429, fields: fields,
      body: .text(#"{"code":"too-many-requests","error":true,"message":"Too many requests"}"#))
  }

  /// 403: the portal does not know the token.
  public static var invalidToken: Fault {
    .json(
      403, #"{"code":"permission_denied","error":true,"message":"Invalid app_token specified"}"#)
  }

  /// 404: the dataset has been taken away.
  public static var retiredDataset: Fault {
    .json(404, #"{"code":"dataset.missing","error":true,"message":"Not found"}"#)
  }

  /// 200 with a web page, as a proxy or a hotel's network gives.
  public static var webPage: Fault {
    .status(
      200, fields: ["Content-Type": "text/html; charset=utf-8"],
      body: .text("<!DOCTYPE html>\n<html><body><h1>Sign in</h1></body></html>\n"))
  }

  /// 403 with XML, as a bucket of S3 gives.
  public static var bucketDenial: Fault {
    .status(
      403, fields: ["Content-Type": "application/xml"],
      body: .text(
        #"<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code>"#
          + "<Message>Access Denied</Message></Error>"))
  }

  /// 200 with a JSON object where rows should be; its content is up to the caller.
  public static func object(_ json: String = #"{"success":true}"#) -> Fault { .json(200, json) }

  /// A JSON answer to the letter, with a status.
  public static func json(_ status: Int, _ json: String) -> Fault {
    .status(
      status, fields: ["Content-Type": "application/json; charset=utf-8"], body: .text(json))
  }
}
