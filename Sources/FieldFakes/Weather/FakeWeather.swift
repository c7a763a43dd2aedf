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

// MARK: - Content

extension FakeWeather {
  /// The weather in OpenWeather's responses.
  public struct Sky: Sendable, Hashable {
    /// The code of the condition, such as 501; `nil` for a response without a condition.
    public var id: Int?
    /// The word for the condition.
    public var main: String
    /// The name of the icon.
    public var icon: String
    /// The temperature, in °C.
    public var temperatureInCelsius: Double
    /// The time of the observation, in Unix seconds.
    public var observedAt: Int64

    /// Creates weather, which defaults to a clear day.
    public init(
      id: Int? = 800, main: String = "Clear", icon: String = "01d",
      temperatureInCelsius: Double = 21.5, observedAt: Int64 = 1_661_870_592
    ) {
      self.id = id
      self.main = main
      self.icon = icon
      self.temperatureInCelsius = temperatureInCelsius
      self.observedAt = observedAt
    }

    func text(units: String?, latitude: Double, longitude: Double) -> String {
      let temperature =
        switch units {
        case "metric": temperatureInCelsius
        case "imperial": temperatureInCelsius * 1.8 + 32
        default: temperatureInCelsius + 273.15
        }
      let condition =
        id.map { #"{"id":\#($0),"main":"\#(main)","description":"","icon":"\#(icon)"}"# } ?? ""
      return """
        {"coord":{"lon":\(longitude),"lat":\(latitude)},"weather":[\(condition)],"base":"stations",\
        "main":{"temp":\(temperature),"feels_like":\(temperature),"pressure":1015,"humidity":64},\
        "visibility":10000,"wind":{"speed":0.62,"deg":349},"clouds":{"all":100},"dt":\(observedAt),\
        "sys":{"country":"KR"},"timezone":32400,"id":1835848,"name":"Seoul","cod":200}
        """
    }
  }

  /// The air quality in OpenWeather's responses.
  public struct Air: Sendable, Hashable {
    /// PM10, in µg/m³.
    public var pm10: Double
    /// PM2.5, in µg/m³.
    public var pm25: Double
    /// The index, which is written as `4.0`, as the service sometimes does.
    public var index: Double
    /// The time, in Unix seconds.
    public var time: Int

    /// Creates air quality.
    public init(
      pm10: Double = 12.5, pm25: Double = 7.25, index: Double = 4, time: Int = 1_605_182_400
    ) {
      self.pm10 = pm10
      self.pm25 = pm25
      self.index = index
      self.time = time
    }

    private var entry: String {
      """
      {"dt":\(time),"main":{"aqi":\(index)},"components":{"co":201.94,"no":0.0,"no2":0.77,\
      "o3":68.66,"so2":0.64,"pm2_5":\(pm25),"pm10":\(pm10),"nh3":0.12}}
      """
    }

    static func text(_ air: Air?, latitude: Double, longitude: Double) -> String {
      """
      {"coord":{"lon":\(longitude),"lat":\(latitude)},"list":[\(air?.entry ?? "")]}
      """
    }
  }

  /// A row of AirKorea: an hour at a station, all of it text.
  public struct Hour: Sendable, Hashable {
    /// The hour, such as `2024-03-06 24:00`.
    public var time: String
    /// PM10, such as `45` or `-`; `nil` for null.
    public var pm10: String?
    /// PM2.5, such as `21` or `-`; `nil` for null.
    public var pm25: String?
    /// The station's flag instead of values, for both.
    public var flag: String?
    /// The grade of both, which needn't match the values.
    public var grade: String?

    /// Creates a row.
    public init(
      time: String, pm10: String?, pm25: String?, flag: String? = nil, grade: String? = "1"
    ) {
      self.time = time
      self.pm10 = pm10
      self.pm25 = pm25
      self.flag = flag
      self.grade = grade
    }

    static func text(_ rows: [Hour], total: Int) -> String {
      let items = rows.map { row in
        let members: [(String, String?)] = [
          ("dataTime", row.time), ("pm10Value", row.pm10), ("pm10Value24", row.pm10),
          ("pm25Value", row.pm25), ("pm25Value24", row.pm25), ("pm10Grade", row.grade),
          ("pm10Grade1h", row.grade), ("pm25Grade", row.grade), ("pm25Grade1h", row.grade),
          ("khaiValue", "-"), ("khaiGrade", row.grade), ("pm10Flag", row.flag),
          ("pm25Flag", row.flag), ("so2Value", "0.003"), ("o3Value", "0.031"),
        ]
        return JSONValue.object(
          members.map { .init(key: $0.0, value: $0.1.map(JSONValue.string) ?? .null) })
      }
      return """
        {"response":{"body":{"totalCount":\(total),"items":\(JSONValue.array(items).canonicalText),\
        "pageNo":1,"numOfRows":24},"header":{"resultMsg":"NORMAL_CODE","resultCode":"00"}}}
        """
    }
  }

  /// A failure of a service.
  public enum Failure: Sendable, Hashable {
    /// A status with a plain-text body.
    case status(Int)
    /// OpenWeather's JSON error with a status.
    case openWeather(Int, message: String)
    /// The XML of data.go.kr's gateway with status 200.
    case gateway(Int, reason: String)
    /// AirKorea's JSON error with status 200.
    case airKorea(code: String, message: String)
    /// Any body with status 200.
    case body(String, type: String)
  }
}
