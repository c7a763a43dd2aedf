public import FieldCore
public import FieldFoundation

/// A fake of the feeds of Taipei's metro, driven by a clock: trains run, and every format of every
/// feed says where they are.
///
/// ```swift
/// let clock = ManualClock()
/// let fake = FakeMetroFeed(clock: clock)
/// let metro = Metro(storage: .inMemory, transport: fake, clock: clock)
/// try await metro.refresh()
/// clock.advance(by: .seconds(30))
/// try await metro.refresh()                      // the trains have moved on
/// ```
///
/// Responses depend on the clock's date and on the path of the request, whatever the host, so a
/// ``LoopbackServer`` can serve it:
///
/// | Path | Response |
/// |---|---|
/// | `…/stations.json` | the open feed, in its ``StationForm``; updated every ``interval`` |
/// | `…/apiAccess?rid=…`, `…/api/v1/dataset/{rid}` | data.taipei's rows, paged by `limit` and `offset` |
/// | `…/TrackInfo.asmx` | the members' feed, after a POST of SOAP with their ``Account`` |
/// | `…/openid-connect/token` | TDX's sign-in, after a POST of the account's ID and secret |
/// | `…/LiveBoard/{operator}`, `…/Alert/{operator}` | TDX, with a token that it issued |
/// | `…/StationTimeTable/{operator}`, `…/Frequency/{operator}` | TDX's timetable of the trains, with a token |
///
/// Everything else is 404. Simulate failures in responses with ``fail(_:)``, and failures of the
/// network with a ``FaultTransport`` around this one.
public final class FakeMetroFeed: Transport {
  /// The lines whose trains run.
  public let lines: [Line]
  /// Rows that never change, after those of the trains.
  public let frozen: [FrozenTrain]
  /// The format of the open feed.
  public let stationForm: StationForm
  /// A Boolean value that indicates whether the members' feed has its JSON in an element, with
  /// entities, instead of before the envelope.
  public let escapesTrackInfo: Bool
  /// A Boolean value that indicates whether TDX's board is under `StationLiveBoards` instead of an
  /// array.
  public let wrapsLiveBoard: Bool
  /// The interval at which the feeds are updated.
  public let interval: Duration
  /// The account that may sign in.
  public let account: Account
  /// The lifetime of a TDX token.
  public let tokenLife: Duration
  /// The number of tokens issued per minute; further requests result in 429.
  public let tokensPerMinute: Int
  /// The IDs on data.taipei that no longer have data, which result in 404.
  public let retiredResources: Set<String>
  /// TDX's alerts for passengers; if there are none, it reports normal service.
  public let alerts: [String]

  let clock: any FieldClock
  let state = Lock(State())

  struct State: Sendable {
    var failure: Failure?
    /// The expiration of each token, by the clock's uptime.
    var tokens: [String: Duration] = [:]
    /// The times at which tokens were requested.
    var tokenCalls: [Duration] = []
    var tokenCount = 0
    var requests: [TransportRequest] = []
  }

  /// Creates a metro.
  public init(
    clock: any FieldClock = .system,
    lines: [Line] = Line.taipei,
    frozen: [FrozenTrain] = [],
    stationForm: StationForm = .plain,
    escapesTrackInfo: Bool = false,
    wrapsLiveBoard: Bool = false,
    interval: Duration = .seconds(30),
    account: Account = Account(),
    tokenLife: Duration = .seconds(86_400),
    tokensPerMinute: Int = 20,
    retiredResources: Set<String> = [],
    alerts: [String] = []
  ) {
    self.clock = clock
    self.lines = lines
    self.frozen = frozen
    self.stationForm = stationForm
    self.escapesTrackInfo = escapesTrackInfo
    self.wrapsLiveBoard = wrapsLiveBoard
    self.interval = max(interval, .seconds(1))
    self.account = account
    self.tokenLife = tokenLife
    self.tokensPerMinute = tokensPerMinute
    self.retiredResources = retiredResources
    self.alerts = alerts
  }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// The number of tokens that TDX has issued.
  public var tokenCount: Int { state.withLock(\.tokenCount) }

  /// Makes the feeds fail from now on; `nil` ends the failure.
  public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// Revokes all TDX tokens, so that they result in 401.
  public func revokeTokens() { state.withLock { $0.tokens = [:] } }

  /// Returns the response to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let failure = state.withLock { state in
      state.requests.append(request)
      return state.failure
    }
    var sent = request
    // A failing response is never the one that the client already has.
    if failure != nil { sent.fields["If-None-Match"] = nil }
    var response = try response(to: sent)
    if response.isSuccess, let failure, !isToken(request) {
      response = try failure.applied(to: response)
    }
    response.head.fields["Date"] = HTTPDate.string(for: clock.now)
    return try response.delivered(for: request)
  }

  private func isToken(_ request: TransportRequest) -> Bool {
    request.url.path().hasSuffix("/openid-connect/token")
  }

  private func response(to request: TransportRequest) throws -> TransportResponse {
    let path = request.url.path()
    if isToken(request) { return try tokenResponse(to: request) }
    if path.hasSuffix("/stations.json") { return stationsResponse(to: request) }
    if path.hasSuffix("/apiAccess") || path.contains("/api/v1/dataset/") {
      return openDataResponse(to: request)
    }
    if path.hasSuffix("/TrackInfo.asmx") { return try trackInfoResponse(to: request) }
    if path.contains("/LiveBoard/") { return signed(request) { .json(liveBoard) } }
    if path.contains("/Alert/") { return signed(request) { .json(alertList) } }
    if path.contains("/StationTimeTable/") {
      return signed(request) { timetableResponse(to: request) { stationTimetable } }
    }
    if path.contains("/Frequency/") {
      return signed(request) { timetableResponse(to: request) { headways } }
    }
    return TransportResponse(status: 404)
  }
}

// MARK: - Members

extension FakeMetroFeed {
  /// Returns the members' feed: an array followed by an envelope, or inside it.
  func trackInfoResponse(to request: TransportRequest) throws -> TransportResponse {
    guard request.method == .post, let body = request.body else {
      return TransportResponse(status: 405)
    }
    let envelope = String(decoding: try body.bytes(), as: UTF8.self)
    guard envelope.contains("<userName>\(Self.escaped(account.userName))</userName>"),
      envelope.contains("<passWord>\(Self.escaped(account.password))</passWord>")
    else {
      return Self.xml(
        Self.envelope(
          "<soap:Fault><faultcode>soap:Server</faultcode><faultstring>帳號或密碼錯誤</faultstring>"
            + "</soap:Fault>"), status: 500)
    }
    let rows = "[\(trackInfoRows.joined(separator: ","))]"
    if escapesTrackInfo {
      return Self.xml(
        Self.envelope(
          "<getTrackInfoResponse xmlns=\"http://tempuri.org/\"><getTrackInfoResult>"
            + Self.escaped(rows) + "</getTrackInfoResult></getTrackInfoResponse>"))
    }
    return Self.xml(rows + Self.envelope("<getTrackInfoResponse xmlns=\"http://tempuri.org/\" />"))
  }

  private var trackInfoRows: [String] {
    comingTrains.map { train in
      let number = train.line.hundreds.map { String($0 * 100 + train.number) } ?? ""
      let seconds = train.entry - written
      let countdown = "\((seconds / 60).digits(2)):\((seconds % 60).digits(2))"
      return FakeTime.object([
        ("TrainNumber", number), ("StationName", train.station.name),
        ("DestinationName", train.destination.name + "站"),
        ("CountDown", seconds < 10 ? "列車進站" : countdown),
        ("NowDateTime", FakeTime.spaced(written)),
      ])
    }
  }

  private static func xml(_ text: String, status: Int = 200) -> TransportResponse {
    TransportResponse(
      status: status, fields: ["Content-Type": "text/xml; charset=utf-8"], body: .text(text))
  }

  private static func envelope(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><soap:Envelope "
      + "xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>\(body)</soap:Body>"
      + "</soap:Envelope>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}

// MARK: - Parts

extension FakeMetroFeed {
  /// A line with trains in both directions.
  public struct Line: Sendable, Hashable {
    /// The letters of the line, such as `R`.
    public var id: String
    /// The hundreds digit of its trains' numbers, such as 1; `nil` for a line whose trains have no
    /// numbers.
    public var hundreds: Int?
    /// The stations in order, by their Chinese names without 站 at the end.
    public var stations: [Station]
    /// The travel time from one station to the next.
    public var runTime: Duration
    /// The interval between trains at the first station.
    public var headway: Duration

    /// Creates a line.
    public init(
      id: String, hundreds: Int? = nil, stations: [Station], runTime: Duration = .seconds(120),
      headway: Duration = .seconds(300)
    ) {
      self.id = id
      self.hundreds = hundreds
      self.stations = stations
      self.runTime = max(runTime, .seconds(1))
      self.headway = max(headway, .seconds(1))
    }

    /// A station with its names and its code.
    public struct Station: Sendable, Hashable {
      /// The Chinese name.
      public var name: String
      /// The English name in the feed's spelling.
      public var english: String
      /// The code, such as `R10`.
      public var code: String

      /// Creates a station.
      public init(_ name: String, _ english: String, _ code: String) {
        self.name = name
        self.english = english
        self.code = code
      }
    }

    /// Parts of three of Taipei's lines, where a train enters a station in every half minute.
    public static var taipei: [Line] {
      [
        Line(
          id: "R", hundreds: 1,
          stations: [
            Station("淡水", "Tamsui", "R28"), Station("紅樹林", "Hongshulin", "R27"),
            Station("竹圍", "Zhuwei", "R26"), Station("關渡", "Guandu", "R25"),
            Station("忠義", "Zhongyi", "R24"), Station("復興崗", "Fuxinggang", "R23"),
            Station("北投", "Beitou", "R22"),
          ], runTime: .seconds(155), headway: .seconds(180)),
        Line(
          id: "BL", hundreds: 2,
          stations: [
            Station("西門", "Ximen", "BL11"), Station("台北車站", "TaipeiMainStation", "BL12"),
            Station("善導寺", "Shandao Temple", "BL13"),
            Station("忠孝新生", "Zhongxiao Xinsheng", "BL14"),
            Station("忠孝復興", "Zhongxiao Fuxing", "BL15"),
          ], runTime: .seconds(95), headway: .seconds(120)),
        Line(
          id: "BR",
          stations: [
            Station("動物園", "Taipei Zoo", "BR01"), Station("木柵", "Muzha", "BR02"),
            Station("萬芳社區", "Wanfang Community", "BR03"),
            Station("萬芳醫院", "Wanfang Hospital", "BR04"), Station("大安", "DAAN", "BR09"),
          ], runTime: .seconds(110), headway: .seconds(120)),
      ]
    }
  }

  /// A row that stays in the feed forever.
  public struct FrozenTrain: Sendable, Hashable {
    /// The station in the feed's spelling.
    public var station: String
    /// The destination in the feed's spelling.
    public var destination: String
    /// The date when the row was correct.
    public var date: Date

    /// Creates a row.
    public init(station: String, destination: String, date: Date) {
      self.station = station
      self.destination = destination
      self.date = date
    }
  }

  /// A format of the open feed.
  public enum StationForm: String, Sendable, Hashable, CaseIterable {
    /// Today's format: a byte-order mark and an array, with English names and `yyyyMMddHHmmss`.
    case plain
    /// An array under `resource`, in UTF-8.
    case resource
    /// An array under `resource`, in Big5.
    case resourceInBig5
    /// data.taipei's rows, with `_id` and times with a fraction.
    case openData
  }

  /// An account for the members' feed and TDX.
  public struct Account: Sendable, Hashable {
    /// The member's name.
    public var userName: String
    /// The member's password.
    public var password: String
    /// The app's ID at TDX.
    public var clientID: String
    /// The app's secret at TDX.
    public var secret: String

    /// Creates an account.
    public init(
      userName: String = "member", password: String = "password", clientID: String = "client",
      secret: String = "secret"
    ) {
      self.userName = userName
      self.password = password
      self.clientID = clientID
      self.secret = secret
    }
  }

  /// A failure in a response.
  public enum Failure: Sendable, Hashable {
    /// An HTML page with status 200.
    case webPage
    /// Only the first bytes of the body, without an error.
    case cut(after: Int)
    /// A list without rows.
    case noRows
    /// An empty body with status 200.
    case noBody
    /// The HTML page of a failing server, with status 500.
    case serverError

    func applied(to response: TransportResponse) throws -> TransportResponse {
      var response = response
      // The failing response isn't the one that the validators are for.
      response.head.fields["ETag"] = nil
      switch self {
      case .webPage:
        response.body = .maintenance
        response.head.fields["Content-Type"] = "text/html"
      case .cut(let count): response.body = .bytes(Array(try response.body.bytes().prefix(count)))
      case .noRows: response.body = .text("[]")
      case .noBody: response.body = .bytes([])
      case .serverError: return .serverError
      }
      return response
    }
  }
}

// MARK: - Stations

extension FakeMetroFeed {
  /// Returns the open feed, or 304 if the client already has the file.
  func stationsResponse(to request: TransportRequest) -> TransportResponse {
    let tag = "\"\(stationForm.rawValue)-\(written)\""
    let fields: HTTPHeaderFields = ["ETag": tag, "Content-Type": "application/octet-stream"]
    if request.fields["If-None-Match"] == tag {
      return TransportResponse(status: 304, fields: fields)
    }
    return TransportResponse(status: 200, fields: fields, body: .bytes(stations))
  }

  private var stations: [UInt8] {
    switch stationForm {
    case .plain: [0xEF, 0xBB, 0xBF] + Array("[\(plainRows.joined(separator: ",\n"))]".utf8)
    case .resource: Array(resource.utf8)
    case .resourceInBig5: Big5.bytes(resource) ?? []
    case .openData: Array(FakeTaipeiOpenData.page(openDataRows, limit: 20, offset: 0) { $0 }.utf8)
    }
  }

  private var resource: String { "{\"resource\":[\(plainRows.joined(separator: ","))]}" }

  /// A row of the open feed and of data.taipei; without a train, it never changes.
  private typealias Row = (station: String, destination: String, time: Int64, train: FakeTrain?)

  private var rows: [Row] {
    let moving = enteringTrains.map { train -> Row in
      (Self.named(train.station), Self.named(train.destination), train.entry, train)
    }
    return moving
      + frozen.map { ($0.station, $0.destination, Int64($0.date.timeIntervalSince1970), nil) }
  }

  /// The rows of today's feed, with English names, which older formats lack.
  private var plainRows: [String] {
    let isPresent = stationForm == .plain
    let time = isPresent ? FakeTime.digits : FakeTime.local
    return rows.map { row in
      let train = isPresent ? row.train : nil
      var members = [("Station", row.station)]
      if let train { members.append(("StationEn", train.station.english)) }
      members.append(("Destination", row.destination))
      if let train { members.append(("DestinationEn", train.destination.english)) }
      return FakeTime.object(members + [("UpdateTime", time(row.time))])
    }
  }

  /// Returns the name with 站, which the feed appends to every name but the one that ends with it.
  private static func named(_ station: Line.Station) -> String {
    station.name.hasSuffix("站") ? station.name : station.name + "站"
  }

  // MARK: data.taipei

  /// Returns a page of data.taipei's rows, with at most 1,000, whatever the requested limit.
  func openDataResponse(to request: TransportRequest) -> TransportResponse {
    let query = request.query
    let resource = query["rid"] ?? request.url.lastPathComponent
    if retiredResources.contains(resource) { return TransportResponse(status: 404) }
    let (limit, offset) = query.page(defaultLimit: 20, cap: 1000)
    return .json(FakeTaipeiOpenData.page(openDataRows, limit: limit, offset: offset) { $0 })
  }

  /// The rows, with a time whose fraction lacks its trailing zeros, as on the real portal.
  private var openDataRows: [String] {
    rows.enumerated().map { index, row in
      let fraction = row.train == nil ? "" : ["", ".5", ".25", ".953"][Int((row.time % 4 + 4) % 4)]
      let time = FakeTime.local(row.time) + fraction
      return "{\"_id\":\(index + 1),\"Station\":\(FakeJSON.quoted(row.station)),"
        + "\"Destination\":\(FakeJSON.quoted(row.destination)),"
        + "\"UpdateTime\":\(FakeJSON.quoted(time))}"
    }
  }
}

// MARK: - TDX

extension FakeMetroFeed {
  /// Returns a token for the account, 401 for another, or 429 after too many requests.
  func tokenResponse(to request: TransportRequest) throws -> TransportResponse {
    guard request.method == .post, request.body != nil else {
      return TransportResponse(status: 405)
    }
    let form = try request.form
    let now = clock.uptime
    let token = state.withLock { state -> String? in
      state.tokenCalls.removeAll { now - $0 >= .seconds(60) }
      guard state.tokenCalls.count < tokensPerMinute else { return nil }
      state.tokenCalls.append(now)
      state.tokenCount += 1
      return "fake-token-\(state.tokenCount)"
    }
    guard let token else {
      return TransportResponse(
        status: 429, fields: ["Retry-After": "60", "Content-Type": "text/plain"],
        body: .text("API rate limit exceeded"))
    }
    guard form["grant_type"] == "client_credentials", form["client_id"] == account.clientID,
      form["client_secret"] == account.secret
    else {
      return .json(
        #"{"error":"invalid_client","error_description":"Invalid client credentials"}"#,
        status: 401)
    }
    state.withLock { $0.tokens[token] = now + tokenLife }
    return .json(
      "{\"access_token\":\"\(token)\",\"expires_in\":\(tokenLife.components.seconds),"
        + "\"token_type\":\"Bearer\",\"not-before-policy\":0,\"scope\":\"profile email\"}")
  }

  /// Returns the response to a request with a valid token, or 401.
  func signed(_ request: TransportRequest, _ response: () -> TransportResponse) -> TransportResponse
  {
    let end = state.withLock { state in request.bearer.flatMap { state.tokens[$0] } }
    guard let end, end > clock.uptime else {
      return TransportResponse(
        status: 401, fields: ["WWW-Authenticate": "Bearer"],
        body: .text("{\"message\":\"Invalid\"}"))
    }
    return response()
  }

  /// TDX's board, whose estimates are 0, and whose own time is half a minute after its source's.
  var liveBoard: String {
    let rows = enteringTrains.map { train in
      let (line, station, destination) = (train.line.id, train.station, train.destination)
      return "{\"LineNO\":\"\(line)\",\"LineID\":\"\(line)\",\"StationID\":\"\(station.code)\","
        + "\"StationName\":\(Self.names(station)),\"TripHeadSign\":\"往\(destination.name)\","
        + "\"DestinationStaionID\":\"\(destination.code)\","
        + "\"DestinationStationID\":\"\(destination.code)\","
        + "\"DestinationStationName\":\(Self.names(destination)),\"ServiceStatus\":0,"
        + "\"EstimateTime\":0,\"SrcUpdateTime\":\"\(FakeTime.zoned(train.entry))\","
        + "\"UpdateTime\":\"\(FakeTime.zoned(train.entry + 30))\"}"
    }
    let array = "[\(rows.joined(separator: ","))]"
    guard wrapsLiveBoard else { return array }
    return "{\"UpdateTime\":\"\(FakeTime.zoned(written))\",\"UpdateInterval\":30,"
      + "\"AuthorityCode\":\"TRTC\",\"StationLiveBoards\":\(array)}"
  }

  var alertList: String {
    let time = FakeJSON.quoted(FakeTime.zoned(written))
    func alert(_ id: Int, _ title: String, status: Int) -> String {
      "{\"AlertID\":\"\(id)\",\"Title\":\(FakeJSON.quoted(title)),"
        + "\"Description\":\(FakeJSON.quoted(title)),\"Status\":\(status),"
        + "\"Scope\":{\"Network\":{},\"Stations\":[],\"Lines\":[]},\"PublishTime\":\(time),"
        + "\"UpdateTime\":\(time)}"
    }
    let rows =
      alerts.isEmpty
      ? [alert(0, "正常營運", status: 1)]
      : alerts.enumerated().map { alert($0.offset + 1, $0.element, status: 2) }
    return "{\"UpdateTime\":\(time),\"UpdateInterval\":60,\"AuthorityCode\":\"TRTC\","
      + "\"Alerts\":[\(rows.joined(separator: ","))]}"
  }

  static func names(_ station: Line.Station) -> String {
    FakeTime.object([("Zh_tw", station.name), ("En", station.english)])
  }
}

// MARK: - Timetable

extension FakeMetroFeed {
  /// Returns a resource of the timetable, or 304 if the client already has that of the day.
  func timetableResponse(
    to request: TransportRequest, _ rows: () -> [String]
  ) -> TransportResponse {
    let tag = "\"timetable-\(midnight)\""
    if request.fields["If-None-Match"] == tag {
      return TransportResponse(status: 304, fields: ["ETag": tag])
    }
    let isOperator = request.url.lastPathComponent == "TRTC"
    return .json("[\(isOperator ? rows().joined(separator: ",") : "")]", fields: ["ETag": tag])
  }

  /// The start of the day in Taipei.
  private var midnight: Int64 {
    let offset: Int64 = 8 * 3600
    let local = Int64(clock.now.timeIntervalSince1970.rounded(.down)) + offset
    return local - ((local % 86_400) + 86_400) % 86_400 - offset
  }

  /// TDX's departures of each station toward each end of its line, from 06:00 to midnight, without those of the lines whose
  /// trains have no numbers.
  var stationTimetable: [String] {
    var rows: [String] = []
    for line in lines where line.hundreds != nil && line.stations.count > 1 {
      let headway = line.headway.components.seconds
      for (direction, stations) in [line.stations, line.stations.reversed()].enumerated() {
        guard let destination = stations.last else { continue }
        for (place, station) in stations.dropLast().enumerated() {
          let first = midnight + 6 * 3600
          let start = first + ((-first % headway) + headway) % headway
          let times = stride(from: start, to: midnight + 86_400, by: Int(headway)).map {
            FakeTime.local($0 + Int64(place) * line.runTime.components.seconds)
          }
          let entries = times.enumerated().map {
            "{\"Sequence\":\($0.offset + 1),\"DepartureTime\":\"\($0.element.dropFirst(11).prefix(5))\",\"TrainType\":0}"
          }
          rows.append(
            "{\"RouteID\":\"\(line.id)-1\",\"LineID\":\"\(line.id)\",\"StationID\":\"\(station.code)\","
              + "\"StationName\":\(Self.names(station)),\"Direction\":\(direction),"
              + "\"DestinationStaionID\":\"\(destination.code)\","
              + "\"DestinationStationName\":\(Self.names(destination)),"
              + "\"Timetables\":[\(entries.joined(separator: ","))],\(Self.everyDay)}")
        }
      }
    }
    return rows
  }

  /// TDX's headways of the lines whose trains have no numbers.
  var headways: [String] {
    lines.filter { $0.hundreds == nil }.map { line in
      let minutes = (line.headway.components.seconds + 59) / 60
      return "{\"LineID\":\"\(line.id)\",\"RouteID\":\"\(line.id)-1\",\(Self.everyDay),"
        + "\"Headways\":[{\"PeakFlag\":\"0\",\"StartTime\":\"06:00\",\"EndTime\":\"24:00\","
        + "\"MinHeadwayMins\":\(minutes),\"MaxHeadwayMins\":\(minutes)}]}"
    }
  }

  private static let everyDay: String = {
    let days = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
      "NationalHolidays",
    ]
    return
      "\"ServiceDay\":{\"ServiceTag\":\"每日\",\(days.map { "\"\($0)\":true" }.joined(separator: ","))}"
  }()
}
