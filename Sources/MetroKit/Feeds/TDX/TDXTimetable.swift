public import FieldCore
public import FieldFoundation

/// A source of a metro's timetable on TDX: the departures of its stations, and the headways of lines without any.
///
/// ```swift
/// let timetable = TDXTimetable(token: token, transport: transport)
/// let metro = Metro(timetable: timetable, storage: .directory(folder), transport: transport)
/// try await metro.refresh()
/// ```
///
/// The timetable is compiled as it arrives, and stored in a fraction of its size. The requests are conditional, so that a timetable
/// that hasn't changed costs small responses.
public struct TDXTimetable: RecordSource {
  /// The base URL of TDX's metro data, to which the resource and the operator are appended.
  public var base: URL
  /// The operators of the network's lines.
  ///
  /// Defaults to `TRTC` and `NTMC`, which runs the Circular line.
  public var operatorCodes: [String]
  /// The network in which stations are looked up.
  public var network: MetroNetwork
  /// The maximum duration of a request.
  ///
  /// Defaults to 60 seconds.
  public var timeout: Duration
  /// The limits for a response; an operator without a timetable is always allowed.
  ///
  /// Defaults to 64 MiB and 10,000 rows.
  public var limits: FeedLimits

  private let token: TDXToken
  private let transport: any Transport

  /// Creates a source of a timetable.
  public init(
    token: TDXToken,
    transport: any Transport,
    base: URL = TDXLiveBoard.presentBase,
    operatorCodes: [String] = ["TRTC", "NTMC"],
    network: MetroNetwork = .taipei,
    timeout: Duration = .seconds(60),
    limits: FeedLimits = FeedLimits(bytes: 64 << 20)
  ) {
    self.token = token
    self.transport = transport
    self.base = base
    self.operatorCodes = operatorCodes
    self.network = network
    self.timeout = timeout
    self.limits = limits
  }

  /// The metro's data on TDX.
  public var dataSource: DataSource? { .tdxMetro }

  /// A value that identifies the network in which stations are looked up.
  public var fingerprint: String { network.version }

  private static let operation = "metro.tdx.timetable"

  /// Fetches the timetable from TDX, with the request operation `metro.tdx.timetable`, as the only record.
  ///
  /// The departures of each operator's stations are requested, and then headways until all lines of the network have trains.
  ///
  /// - Throws: `FieldError` with the code `metro.signInRefused` if the ID and secret are rejected, `http.tooManyRequests` if the
  ///   rate limit is exceeded, or a `rows.…` code if a response isn't a timetable.
  @concurrent
  public func fetch(_ request: RecordRequest) async throws -> Batch<MetroTimetable> {
    var answers = Answers()
    if try await isUnchanged(request, &answers) {
      var batch = Batch<MetroTimetable>.notModified(
        validators: answers.validators, origin: answers.origin)
      batch.facts.serverDate = answers.serverDate
      return batch
    }
    var rows = MetroTimetableRows(network)
    for code in operatorCodes {
      try await add("StationTimeTable", code, to: &rows, &answers)
    }
    for code in operatorCodes where !network.lines.allSatisfy({ rows.lines.contains($0.id) }) {
      try await add("Frequency", code, to: &rows, &answers)
    }
    try Task.checkCancellation()
    let timetable = try MetroTimetable(rows, network)
    var facts = PageMetadata(
      rowCount: rows.rowCount, serverDate: answers.serverDate, origin: answers.origin,
      validators: answers.isComplete ? answers.validators : [:])
    if rows.unreadable.count > 0 {
      facts.notices.append(
        RefreshReport.Notice(
          .unreadableValues,
          "\(rows.unreadable.count) times of the timetable can't be read and are missing. The first: "
            + "\(rows.unreadable.first)."))
    }
    return Batch(records: [timetable], failures: rows.failures, facts: facts)
  }

  // MARK: Requests

  /// What the requests of a fetch have found out.
  private struct Answers {
    /// The bodies that have arrived, by URL.
    var bodies: [URL: TransportResponse] = [:]
    var validators: [String: HTTPValidators] = [:]
    var serverDate: Date?
    var origin: URL?
    /// A Boolean value that indicates whether every response can be confirmed later.
    ///
    /// Otherwise, a change of one that can't would be missed.
    var isComplete = true
  }

  /// Returns whether all responses that the stored timetable was read from are still current.
  private func isUnchanged(
    _ request: RecordRequest, _ answers: inout Answers
  ) async throws -> Bool {
    let urls = try ["StationTimeTable", "Frequency"].flatMap { resource in
      try operatorCodes.map { try TDXAddress.url(base, resource, $0) }
    }
    let known = urls.filter { request.validators[$0.absoluteString] != nil }
    // The departures of each operator were requested.
    guard !known.isEmpty, known.starts(with: urls.prefix(operatorCodes.count)) else { return false }
    for url in known {
      let isNew = try await send(url, request.validators[url.absoluteString], &answers)
      if isNew { return false }
    }
    return true
  }

  /// Sends a request, and returns whether there is a new body.
  private func send(
    _ url: URL, _ known: HTTPValidators?, _ answers: inout Answers
  ) async throws -> Bool {
    let conditional = ConditionalRequest(
      TransportRequest(
        url: url, fields: ["Accept": "application/json"], timeout: timeout,
        responseLimit: limits.bytes, operation: Self.operation), known: known)
    let response = try await FeedExchange.answer(to: conditional.request) {
      try await token.send($0, by: transport)
    }
    let answer = try conditional.answer(of: response)
    answers.serverDate = response.serverDate
    answers.origin = answers.origin ?? response.url ?? url
    answers.validators[url.absoluteString] = answer.validators
    if answer.validators == nil { answers.isComplete = false }
    if answer.isNew { answers.bodies[url] = response }
    return answer.isNew
  }

  private func add(
    _ resource: String, _ operatorCode: String, to rows: inout MetroTimetableRows,
    _ answers: inout Answers
  ) async throws {
    let url = try TDXAddress.url(base, resource, operatorCode)
    if answers.bodies[url] == nil { _ = try await send(url, nil, &answers) }
    guard let response = answers.bodies.removeValue(forKey: url) else { return }
    let count = rows.rowCount
    try FeedExchange.reading(response, operation: Self.operation, limit: limits.bytes) {
      try rows.add($0)
    }
    guard rows.rowCount - count <= limits.rows else {
      throw FieldError(
        .feedTooLarge,
        "The timetable has \(rows.rowCount - count) rows, but only \(limits.rows) are allowed.",
        operation: Self.operation, response: response.head)
    }
  }
}
