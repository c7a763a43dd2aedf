public import FieldCore
internal import FieldFoundation

/// A client of a portal other than Socrata's, which reads responses and understands the portal's errors.
///
/// ArcGIS responds to failures with status 200 and an error in the body, so they are looked for in every body. A
/// response that is cut, and an error that says it will pass, are requested again.
struct PortalClient: Sendable {
  let family: PortalFamily
  let transport: any Transport
  let token: PortalToken?
  let clock: any FieldClock
  /// The maximum duration of each request.
  var timeout = Duration.seconds(60)
  /// The maximum number of repeated requests.
  var patience = 3

  /// A response that has been checked for errors.
  struct Answer: Sendable {
    var head: TransportResponse.Head
    var body: [UInt8]
    /// The body without its rows.
    var outline: JSONValue
    var serverDate: Date?
  }

  /// Sends a request, and returns the response if it is a success.
  ///
  /// - Parameters:
  ///   - base: The URL without its query.
  ///   - items: The query.
  ///   - rows: The key of the rows, which aren't part of the outline; empty if the response is an array of rows, which has no
  ///     outline.
  @concurrent
  func ask(
    _ base: URL, _ items: [(name: String, value: String)] = [], rows: String? = nil,
    operation: String
  ) async throws -> Answer {
    let url = try PercentEncoding.url(base, adding: items)
    var fields: HTTPHeaderFields = ["Accept": "application/json"]
    if let token = try await usableToken(operation) { add(token, to: &fields) }
    let request = TransportRequest(
      url: url, fields: fields, timeout: timeout, operation: operation)
    var failures = 0
    while true {
      do {
        let response = try await FieldError.wrapping(
          "The portal couldn't be reached.", as: .transport, operation: operation
        ) { try await transport.send(request) }
        return try answer(of: response, to: base, rows: rows, operation: operation)
      } catch let error as FieldError {
        let isPassing =
          [.cut, .emptyBody].contains(error.code)
          || error.code == .status && error.response?.status == 200
        guard isPassing, failures < patience else { throw error }
        failures += 1
        try await clock.sleep(for: .seconds(failures))
      }
    }
  }

  /// The field of a token, which logs hide.
  private func add(_ token: String, to fields: inout HTTPHeaderFields) {
    switch family {
    case .arcGIS: fields["X-Esri-Authorization"] = "Bearer \(token)"
    case .openDataSoft: fields["Authorization"] = "Apikey \(token)"
    default: fields["Authorization"] = token
    }
  }

  private func usableToken(_ operation: String) async throws -> String? {
    guard let token else { return nil }
    return try await FieldError.wrapping(
      "The token couldn't be obtained.", as: .portalDenied, operation: operation
    ) { try await token.provide() }
  }

  /// Throws an error if a body is cut, and leaves all other faults to the reader of its rows.
  private static func refuseCut(_ body: [UInt8]) throws(FieldError) {
    do throws(FieldError) {
      try JSONDocument.validate(body)
    } catch {
      if error.code == .cut { throw error }
    }
  }

  private func answer(
    of response: TransportResponse, to base: URL, rows: String?, operation: String
  ) throws -> Answer {
    try response.reading(operation: operation) { body in
      let first = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      if rows == "", response.isSuccess, first == UInt8(ascii: "[") {
        try Self.refuseCut(body)
        return Answer(
          head: response.head, body: body, outline: .null, serverDate: response.serverDate)
      }
      // CKAN says `"Bad request - Action name not known: datastore_info"`, in the language of the portal.
      if family == .ckan, response.status == 400, first != UInt8(ascii: "{"),
        first != UInt8(ascii: "<"),
        String(decoding: body, as: UTF8.self).contains(bytesOf: base.lastPathComponent)
      {
        throw FieldError(
          .notFound, "The portal has no action \(base.lastPathComponent).", operation: operation)
      }
      let outline: JSONValue
      do throws(FieldError) {
        outline = try JSONDocument.outline(body, without: rows.map { [$0] } ?? [])
      } catch {
        // The reader of rows reports what is wrong with them, and may read the others.
        guard response.isSuccess, rows != nil, error.code == .malformed else {
          try response.checkStatus(operation: operation)
          throw error
        }
        return Answer(
          head: response.head, body: body, outline: .null, serverDate: response.serverDate)
      }
      if let problem = PortalProblem(outline, status: response.status) {
        throw problem.error(operation)
      }
      guard response.isSuccess else {
        try response.checkStatus(operation: operation)
        throw FieldError(.status, "The portal responded with \(response.status).")
      }
      return Answer(
        head: response.head, body: body, outline: outline, serverDate: response.serverDate)
    }
  }
}

/// An error in the body of a response.
///
/// | Format | From |
/// |---|---|
/// | `{"error":{"code":400,"message":…,"details":[…]}}` with status 200 | ArcGIS |
/// | `{"success":false,"error":{"__type":"Not Found Error","message":…}}` | CKAN |
/// | `{"error_code":"ODSQLError","message":…}` | OpenDataSoft |
struct PortalProblem {
  private var status: Int
  private var said: String

  /// Creates the problem that a body contains, or returns `nil` if it contains none.
  init?(_ body: JSONValue, status: Int) {
    let error = body["error"]
    let isSuccess = (200...299).contains(status)
    // A table may have an object called `error`, but no code beside a success.
    let isProblem =
      body["success"] == .bool(false) || error?["message"] != nil || error?["code"] != nil
      || body["error_code"]?.string != nil && body["message"]?.string != nil
      || !isSuccess && (error != nil || body["error_code"] != nil || body["message"] != nil)
    guard isProblem else { return nil }
    let code = error?["code"]?.integer
    self.status = isSuccess ? Self.status(code, error?["__type"]?.string) : status
    var words = [error?["__type"]?.string, body["error_code"]?.string, error?.string]
    words.append(error?["message"]?.string ?? body["message"]?.string)
    words += (error?["details"]?.elements ?? []).map(\.string)
    // CKAN names the rejected parameter: `{"filters": ["invalid filters"]}`.
    if case .object(let members) = error {
      for member in members where member.value.elements != nil && member.key != "details" {
        words.append("\(member.key): \(member.value.canonicalText)")
      }
    }
    let code200 = isSuccess ? code.map { "code \($0)" } : nil
    said = ([code200] + words).compactMap { $0 }.filter { !$0.isEmpty }.uniqued()
      .joined(separator: ": ")
  }

  /// Returns the status that a code in the body stands for.
  private static func status(_ code: Int?, _ type: String?) -> Int {
    switch type {
    case "Not Found Error": return 404
    case "Authorization Error": return 403
    case "Validation Error", "Search Query Error", "Search Error": return 409
    default: break
    }
    // ArcGIS has codes of its own: an invalid token, and a missing one.
    switch code {
    case 498, 499: return 401
    case let code? where (400...599).contains(code): return code
    default: return 500
    }
  }

  /// The error for the operation; the response is added by the reader of the body.
  func error(_ operation: String) -> FieldError {
    let (code, advice): (FieldError.Code, String) =
      switch status {
      case 401, 403: (.portalDenied, "The portal denies access. Check the token.")
      case 404, 410: (.notFound, "The portal doesn't have this dataset. Check its URL.")
      case 408, 504: (.timeout, "The portal didn't finish in time.")
      case 429: (.tooManyRequests, "The portal limits requests. Try again later.")
      case 500...: (.status, "The portal has failed. Try again later.")
      default: (.portalQuery, "The portal rejected the request.")
      }
    let quotation = said.isEmpty ? "" : " The portal said: \(said.prefix(400))."
    return FieldError(code, "\(advice)\(quotation)", operation: operation)
  }
}

/// A family of portals: the software that publishes the data, and so the API to read it with.
public struct PortalFamily: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name of the software.
  public var rawValue: String
  /// Creates a family from the name of its software.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The feature services of ArcGIS Server, ArcGIS Online, and ArcGIS Hub.
  public static var arcGIS: Self { Self(rawValue: "ArcGIS") }
  /// The datastore and the files of CKAN.
  public static var ckan: Self { Self(rawValue: "CKAN") }
  /// The Explore API of OpenDataSoft.
  public static var openDataSoft: Self { Self(rawValue: "OpenDataSoft") }
  /// Socrata's SODA API.
  public static var socrata: Self { Self(rawValue: "Socrata") }
  /// Taipei's portal, data.taipei.
  public static var taipei: Self { Self(rawValue: "data.taipei") }

  /// The name of the software.
  public var description: String { rawValue }
}

/// The source of a client's token for a portal: a fixed token, or a closure that is called before each
/// request.
///
/// A token of Socrata only raises the portal's limits; those of the other portals are credentials. A token is
/// sent in a header field that logs hide, never in a URL, which would appear in them.
///
/// | Portal | Field |
/// |---|---|
/// | Socrata | `X-App-Token` |
/// | ArcGIS | `X-Esri-Authorization` |
/// | CKAN | `Authorization` |
/// | OpenDataSoft | `Authorization`, after `Apikey` |
public struct PortalToken: Sendable, CustomStringConvertible {
  let provide: @Sendable () async throws -> String?

  /// Creates a source of a fixed token.
  public init(_ token: String) { provide = { token.isEmpty ? nil : token } }

  /// Creates a source that calls a closure for each request's token; `nil` sends none.
  public init(provider: @escaping @Sendable () async throws -> String?) { provide = provider }

  /// The name of the type, without the token.
  public var description: String { "PortalToken" }
}

/// The source of an app token for a Socrata portal.
public typealias SODAToken = PortalToken

extension FieldError.Code {
  /// The portal denies access; the data needs a token, or another one.
  public static var portalDenied: Self { Self(rawValue: "portal.denied") { PortalGuidance.table } }
  /// The portal rejects the request; don't send it again.
  public static var portalQuery: Self { Self(rawValue: "portal.query") { PortalGuidance.table } }
  /// The dataset can't be read: it has no rows, no key, or is in a format without rows.
  public static var portalUnsupported: Self {
    Self(rawValue: "portal.unsupported") { PortalGuidance.table }
  }
}

extension RefreshReport.Notice.Code {
  /// The shapes are in a coordinate system that can't be converted, so the records have no location.
  public static var portalUnknownReference: Self { Self(rawValue: "portal.unknownReference") }
}
