internal import FieldCore

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
