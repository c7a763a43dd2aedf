public import FieldCore
internal import FieldFoundation

/// A fake of OpenWeather and AirKorea, whose responses are correct, have gaps, or are errors.
///
/// ```swift
/// let fake = FakeWeather()
/// fake.stations["종로구"] = [.init(time: "2024-03-06 24:00", pm10: "-", pm25: "-", flag: "통신장애")]
/// let source = AirKorea(key: fake.airKoreaKey, stationName: "종로구", transport: fake)
/// ```
///
/// Responses depend on the path of the request, whatever the host, so a ``LoopbackServer`` can
/// serve it:
///
/// | Path | Response |
/// |---|---|
/// | `…/weather` | OpenWeather's current weather, in kelvins unless `units` is given |
/// | `…/air_pollution` | OpenWeather's air pollution |
/// | `…/getMsrstnAcctoRltmMesureDnsty` | AirKorea's hours of a station; XML unless `returnType` is `json` |
///
/// Everything else is 404. A wrong key is refused as by each service: with 401 and JSON, and with
/// 200 and XML.
public final class FakeWeather: Transport {
  /// The key that OpenWeather accepts.
  public let openWeatherKey: String
  /// The key that AirKorea accepts, unencoded.
  public let airKoreaKey: String

  private struct State: Sendable {
    var sky = Sky()
    var air: Air? = Air()
    var stations: [String: [Hour]] = [:]
    var failure: Failure?
    var requests: [TransportRequest] = []
  }

  private let state = Lock(State())

  /// Creates the services.
  public init(
    openWeatherKey: String = "0123456789abcdef", airKoreaKey: String = "a+b/c0123456789=="
  ) {
    self.openWeatherKey = openWeatherKey
    self.airKoreaKey = airKoreaKey
  }

  /// The weather in OpenWeather's responses.
  public var sky: Sky {
    get { state.withLock(\.sky) }
    set { state.withLock { $0.sky = newValue } }
  }

  /// The air quality in OpenWeather's responses; `nil` for an empty list.
  public var air: Air? {
    get { state.withLock(\.air) }
    set { state.withLock { $0.air = newValue } }
  }

  /// The rows of AirKorea's stations, newest first; a station without an entry is unknown.
  public var stations: [String: [Hour]] {
    get { state.withLock(\.stations) }
    set { state.withLock { $0.stations = newValue } }
  }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// Makes the services fail from now on; `nil` ends the failure.
  public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// Returns the response to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let failure = state.withLock { state in
      state.requests.append(request)
      return state.failure
    }
    let response = failure.map(response(failing:)) ?? response(to: request)
    return try response.delivered(for: request)
  }

  private func response(to request: TransportRequest) -> TransportResponse {
    let path = request.url.path()
    // These servers read a bare plus as a blank, which is why keys must be encoded.
    let query = QueryItems(request.queryText.replacing("+", with: " "))
    if path.hasSuffix("/getMsrstnAcctoRltmMesureDnsty") { return airKorea(query) }
    guard path.hasSuffix("/weather") || path.hasSuffix("/air_pollution") else {
      return Self.openWeatherError(404, "Internal error")
    }
    guard query["appid"] == openWeatherKey else {
      return Self.openWeatherError(
        401, "Invalid API key. Please see https://openweathermap.org/faq#error401 for more info.")
    }
    guard let latitude = query["lat"].flatMap(Double.init), abs(latitude) <= 90 else {
      return Self.openWeatherError(400, "wrong latitude")
    }
    guard let longitude = query["lon"].flatMap(Double.init), abs(longitude) <= 180 else {
      return Self.openWeatherError(400, "wrong longitude")
    }
    let (sky, air) = state.withLock { ($0.sky, $0.air) }
    if path.hasSuffix("/weather") {
      return .json(sky.text(units: query["units"], latitude: latitude, longitude: longitude))
    }
    return .json(Air.text(air, latitude: latitude, longitude: longitude))
  }

  private func airKorea(_ query: QueryItems) -> TransportResponse {
    guard query["serviceKey"] == airKoreaKey else {
      return Self.gatewayError(30, "SERVICE_KEY_IS_NOT_REGISTERED_ERROR")
    }
    guard query["returnType"] == "json" else {
      return TransportResponse(
        status: 200, fields: ["Content-Type": "application/xml;charset=UTF-8"],
        body: .text("<response><header><resultCode>00</resultCode></header></response>"))
    }
    let rows = state.withLock { $0.stations[query["stationName"] ?? ""] } ?? []
    let count = query.integer("numOfRows") ?? 10
    return .json(Hour.text(Array(rows.prefix(count)), total: rows.count))
  }

  private func response(failing failure: Failure) -> TransportResponse {
    switch failure {
    case .status(let status): TransportResponse(status: status, body: .text("error"))
    case .openWeather(let code, let message): Self.openWeatherError(code, message)
    case .gateway(let code, let reason): Self.gatewayError(code, reason)
    case .airKorea(let code, let message):
      .json(#"{"response":{"header":{"resultCode":"\#(code)","resultMsg":"\#(message)"}}}"#)
    case .body(let text, let type):
      TransportResponse(status: 200, fields: ["Content-Type": type], body: .text(text))
    }
  }

  static func openWeatherError(_ status: Int, _ message: String) -> TransportResponse {
    // The number is text in some of the errors, as from the service.
    let code = status == 401 ? "\(status)" : "\"\(status)\""
    return .json(#"{"cod":\#(code), "message":"\#(message)"}"#, status: status)
  }

  static func gatewayError(_ code: Int, _ reason: String) -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "text/xml;charset=UTF-8"],
      body: .text(
        """
        <OpenAPI_ServiceResponse>
        	<cmmMsgHeader>
        		<errMsg>SERVICE ERROR</errMsg>
        		<returnAuthMsg>\(reason)</returnAuthMsg>
        		<returnReasonCode>\(code < 10 ? "0" : "")\(code)</returnReasonCode>
        	</cmmMsgHeader>
        </OpenAPI_ServiceResponse>
        """))
  }
}
