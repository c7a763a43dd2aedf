@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation

/// A portal of any family whose rows, failures, and lies are the same for all of them.
///
/// It is a transport in front of a fake. The rows are kept beside it, as what a store should have.
final class ScenarioPortal: Transport {
  let family: ScenarioFamily
  private let base: Base
  private let state = Lock(State())

  private enum Base {
    case socrata(FakeSODAServer)
    case fake(FakePortal)
    case taipei(FakeTaipeiOpenData)
    case file(PlainFile)
  }

  private struct Row {
    var number: Int
    var stone: ScenarioStone
    /// The text of the value, if it isn't a number.
    var odd: String?
  }

  private struct State {
    var rows: [Row] = []
    var last = 0
    var requests: [TransportRequest] = []
    var faults: [(numbers: ClosedRange<Int>, response: @Sendable () throws -> TransportResponse)] =
      []
    var beforePage: (@Sendable (_ page: Int) async throws -> Void)?
    var beforeRequest: (@Sendable (_ request: Int) async throws -> Void)?
    var pages = 0
    var rewrite: (@Sendable (TransportRequest, TransportResponse) throws -> TransportResponse)?
    var replica: ScenarioPortal?
    /// The first response with rows to each operation, if the portal is deaf.
    var firsts: [String: TransportResponse]?
  }

  static let columns: [FakeSODAServer.Column] = ["id", .init("value", .number), "note"]
  let clock = ManualClock()

  init(_ family: ScenarioFamily, _ stones: [ScenarioStone] = [], pageCap: Int = 1_000) {
    self.family = family
    switch family {
    case .socrata:
      var options = FakeSODAServer.Options()
      options.pageCap = pageCap
      base = .socrata(
        FakeSODAServer(
          dataset: "gh4g-9sfh", columns: Self.columns, key: "id", clock: clock, options: options))
    case .taipei:
      base = .taipei(FakeTaipeiOpenData(cap: min(pageCap, 1_000), clock: clock))
    case .file: base = .file(PlainFile())
    default:
      var options = FakePortal.Options()
      options.pageCap = pageCap
      options.isOrdered = family != .oldArcGIS
      options.recordsEdits = family != .oldArcGIS
      options.hasRanges = family == .newCKAN
      var columns = Self.columns
      if family == .numberedOpenDataSoft { columns[0] = .init("id", .number) }
      base = .fake(FakePortal(family.dialect, columns: columns, clock: clock, options: options))
    }
    insert(stones)
  }

  /// The ID of the data on data.taipei.
  static let resource = "6afa114d-38a2-4e3c-9cfd-29d3bd26b65b"

  /// Returns the source of the rows.
  func source<Record: CatalogRecord>(
    of type: Record.Type = ScenarioStone.self, at host: String = "portal.example",
    size: Int = 10, overlap: Duration = .zero, pageLimit: Int = 1_000, token: PortalToken? = nil,
    clock: any FieldClock, over transport: (any Transport)? = nil
  ) throws -> any RecordSource<Record> {
    let options = SyncOptions(
      pageSize: size, smallestPage: 1, overlap: overlap, pageLimit: pageLimit)
    let transport = transport ?? self
    guard let root = URL(string: "https://\(host)") else {
      throw FieldError(.invalidInput, "\(host) isn't a host.")
    }
    return switch family {
    case .socrata:
      PortalRows<Record>(
        socrata: try SODADataset("gh4g-9sfh", at: host), key: "id", transport: transport,
        token: token, clock: clock, options: options)
    case .arcGIS, .oldArcGIS:
      PortalRows<Record>(
        arcGIS: root.appending(path: "rest/services/Stones/FeatureServer/0"), transport: transport,
        token: token, clock: clock, options: options)
    case .ckan, .newCKAN:
      PortalRows<Record>(
        ckan: "rows-1", at: root, transport: transport, token: token, clock: clock,
        options: options)
    case .openDataSoft, .numberedOpenDataSoft:
      PortalRows<Record>(
        openDataSoft: "rows", at: root, transport: transport, token: token, clock: clock,
        options: options)
    case .taipei:
      PortalRows<Record>(
        taipei: TaipeiDataset(
          id: "stones", name: "stones",
          resources: [
            TaipeiDataset.Resource(rawValue: Self.resource)
          ]), on: TaipeiOpenData(transport: transport, base: root, pageSize: size))
    case .file: Download<Record>(root.appending(path: "stones.csv"), transport: transport)
    }
  }

  // MARK: Rows

  /// What a store should have: of two rows with the same ID, the later one.
  var stones: Set<ScenarioStone> {
    let rows = state.withLock(\.rows).filter { $0.odd == nil }
    return Set(Dictionary(rows.map { ($0.stone.id, $0.stone) }) { $1 }.values)
  }

  func insert(_ stones: [ScenarioStone], at date: Date? = nil) {
    add(stones.map { ($0, nil) }, at: date)
  }

  /// Adds a row whose value isn't a number.
  func insertUnreadable(_ stone: ScenarioStone) { add([(stone, "?")]) }

  private func add(_ stones: [(ScenarioStone, odd: String?)], at date: Date? = nil) {
    state.withLock { state in
      for (stone, odd) in stones {
        state.last += 1
        state.rows.append(Row(number: state.last, stone: stone, odd: odd))
      }
    }
    let cells = stones.map { self.cells(of: $0, odd: $1) }
    switch base {
    case .socrata(let server): server.insert(cells, at: date)
    case .fake(let portal): portal.insert(cells)
    case .taipei, .file: publish()
    }
  }

  /// Changes the values of rows, and removes their notes if that is asked for.
  func update(_ ids: [String], value: Int? = nil, note: Bool = true) {
    let changed = state.withLock { state in
      var changed: [Row] = []
      for place in state.rows.indices where ids.contains(state.rows[place].stone.id) {
        if let value { state.rows[place].stone.value = value }
        if !note { state.rows[place].stone.note = nil }
        state.rows[place].odd = nil
        changed.append(state.rows[place])
      }
      return changed
    }
    for row in changed {
      let cells = self.cells(of: row.stone)
      switch base {
      case .socrata(let server): server.update(row.stone.id, cells)
      case .fake(let portal): portal.update(row.number, cells)
      case .taipei, .file: break
      }
    }
    publish()
  }

  func delete(_ ids: [String]) {
    let numbers = state.withLock { state in
      let numbers = state.rows.filter { ids.contains($0.stone.id) }.map(\.number)
      state.rows.removeAll { ids.contains($0.stone.id) }
      return numbers
    }
    switch base {
    case .socrata(let server): for id in ids { server.delete(id) }
    case .fake(let portal): portal.delete(numbers)
    case .taipei, .file: publish()
    }
  }

  /// Removes all rows and publishes others, with new numbers, as publishers do.
  func replaceAll(_ stones: [ScenarioStone]) {
    delete(state.withLock { $0.rows.map(\.stone.id) })
    insert(stones)
  }

  private func cells(of stone: ScenarioStone, odd: String? = nil) -> FakeSODAServer.Row {
    [
      "id": family == .numberedOpenDataSoft ? .number(stone.id) : .text(stone.id),
      "value": odd.map { .json("\"\($0)\"") } ?? .number(stone.value),
      "note": stone.note.map { .text($0) } ?? .null,
    ]
  }

  private func publish() {
    let rows = state.withLock(\.rows)
    switch base {
    case .taipei(let portal):
      portal.publish(
        FakeTaipeiOpenData.Dataset(
          Self.resource,
          rows: rows.map { row in
            [
              "id": row.stone.id, "value": row.odd ?? "\(row.stone.value)",
              "note": row.stone.note ?? "",
            ]
          }))
    case .file(let file):
      file.publish(
        rows.map { row in
          "\(row.stone.id),\(row.odd ?? "\(row.stone.value)"),\(row.stone.note ?? "")"
        })
    default: break
    }
  }

  // MARK: Requests

  var requestCount: Int { state.withLock(\.requests.count) }
  /// The requests for rows and IDs, each of which names its page.
  var addresses: [String] { state.withLock { $0.requests.map(\.url.absoluteString) } }
  var requests: [TransportRequest] { state.withLock(\.requests) }

  func forgetRequests() { state.withLock { ($0.requests, $0.pages) = ([], 0) } }

  /// Makes requests with these numbers, from 1, fail with a response or an error.
  func fail(
    _ numbers: ClosedRange<Int> = 1...Int.max,
    with response: @escaping @Sendable () throws -> TransportResponse
  ) { state.withLock { $0.faults.append((numbers, response)) } }

  /// Calls a closure before each request for rows, with the number of the page, from 1.
  func beforePage(_ body: (@Sendable (_ page: Int) async throws -> Void)?) {
    state.withLock { ($0.beforePage, $0.pages) = (body, 0) }
  }

  /// Calls a closure before each request, with its number.
  func beforeRequest(_ body: (@Sendable (_ request: Int) async throws -> Void)?) {
    state.withLock { $0.beforeRequest = body }
  }

  /// Changes the responses.
  func rewriteResponses(
    _ body: (@Sendable (TransportRequest, TransportResponse) throws -> TransportResponse)?
  ) { state.withLock { $0.rewrite = body } }

  /// Lets another portal respond to every second request, as replicas of different ages do.
  func alternate(with replica: ScenarioPortal?) { state.withLock { $0.replica = replica } }

  /// Lets the portal return the first rows again, whatever is requested, like a static file.
  func ignoreRequests() { state.withLock { $0.firsts = [:] } }

  func behave() {
    state.withLock { state in
      state.faults = []
      (state.beforePage, state.beforeRequest, state.rewrite) = (nil, nil, nil)
      (state.replica, state.firsts) = (nil, nil)
    }
  }

  /// Returns whether a request is for rows, which are asked for first.
  private func isPage(_ request: TransportRequest) -> Bool {
    guard request.operation.hasSuffix(".page") || family == .file else { return false }
    return !request.url.absoluteString.contains("returnIdsOnly")
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let isPage = isPage(request)
    let (number, page, hooks) = state.withLock { state in
      state.requests.append(request)
      if isPage { state.pages += 1 }
      return (state.requests.count, state.pages, (state.beforePage, state.beforeRequest))
    }
    if isPage { try await hooks.0?(page) }
    try await hooks.1?(number)
    try Task.checkCancellation()
    let (fault, replica, rewrite) = state.withLock { state in
      (
        state.faults.first { $0.numbers.contains(number) }?.response, state.replica,
        state.rewrite
      )
    }
    if let fault {
      var response = try fault()
      response.head.url = response.head.url ?? request.url
      return response
    }
    if let known = state.withLock({ $0.firsts?[request.operation] }), isPage { return known }
    var response =
      if let replica, number.isMultiple(of: 2) {
        try await replica.respond(to: request)
      } else {
        try await respond(to: request)
      }
    if isPage {
      state.withLock { state in
        if state.firsts != nil { state.firsts?[request.operation] = response }
      }
    }
    if let rewrite { response = try rewrite(request, response) }
    return response
  }

  private func respond(to request: TransportRequest) async throws -> TransportResponse {
    switch base {
    case .socrata(let server): try await server.send(request)
    case .fake(let portal): try await portal.send(request)
    case .taipei(let portal): try await portal.send(request)
    case .file(let file): try await file.send(request)
    }
  }

  /// Lets a Socrata portal store times with more digits than it prints.
  func printsCoarseTimes() {
    guard case .socrata(let server) = base else { return }
    server.options.keepsMicroseconds = true
    server.options.stampStep = .microseconds(1)
  }

  /// Lets a Socrata portal respond from replicas, most of which are outdated and say so.
  func answerFromOutdatedReplicas() {
    guard case .socrata(let server) = base else { return }
    server.replicas = [.behind(writes: 1), .behind(writes: 1), .current]
  }

  /// Makes the portal require a token.
  func require(token: String) {
    switch base {
    case .socrata(let server):
      server.options.acceptedTokens = [token]
      server.options.requiresToken = true
    case .fake(let portal): portal.options.token = token
    case .taipei, .file: break
    }
  }
}
