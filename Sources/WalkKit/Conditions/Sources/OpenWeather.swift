public import FieldCore
public import FieldFoundation

/// OpenWeather's weather and air pollution, by place.
///
/// ```swift
/// let source = OpenWeather(key: key, transport: URLSessionTransport())
/// let report = try await source.weather(at: place)
/// let air = try await source.airQuality(at: place)
/// print(report.weather ?? .clear, air.grade(.openWeather) as Any)
/// ```
///
/// The key is the caller's (free ones allow 60 calls a minute); it goes into the query, as the service
/// wants it, and is part of no log, no description and no error. The place is asked for with three
/// digits, about a hundred metres. Units are asked for by name (`metric`), as the default is Kelvin.
///
/// The air's values come from a model rather than from a station. Its index of 1 to 5 is not read: it
/// counts gases too, and values are graded by a ``DustScale``.
public struct OpenWeather: WeatherSource, AirQualitySource {
  /// Where the service is, up to `/data/2.5`.
  public var url: URL
  /// Header fields that are sent along, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// How long an exchange may take; 20 seconds unless told otherwise.
  public var timeout: Duration

  private let key: ServiceKey
  private let transport: any Transport

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - key: The API key, `appid`.
  ///   - transport: What sends the requests.
  ///   - url: Where the service is.
  ///   - fields: Header fields that are sent along.
  ///   - timeout: How long an exchange may take.
  public init(
    key: String, transport: any Transport, url: URL = Self.presentAddress,
    fields: HTTPHeaderFields = [:], timeout: Duration = .seconds(20)
  ) {
    self.key = ServiceKey(key)
    self.transport = transport
    self.url = url
    self.fields = fields
    self.timeout = timeout
  }

  /// Where the service is.
  public static var presentAddress: URL {
    URL(literal: "https://api.openweathermap.org/data/2.5")
  }

  /// Asks for the weather. The request's operation is `walks.weather.openWeather`.
  ///
  /// - Throws: `FieldError` with the code `walks.serviceKeyRefused` or `http.tooManyRequests` when the
  ///   service says so, `walks.conditionsRefused` for another error of its own, and those of the
  ///   transport and of bodies that are no JSON.
  @concurrent
  public func weather(at place: Coordinate) async throws -> WeatherReport {
    try await exchange.value(
      from: url.appending(path: "weather"),
      asking: question(place) + [("units", "metric")], operation: "walks.weather.openWeather"
    ) { try OpenWeatherAnswer($0).report() }
  }

  /// Asks for the fine dust. The request's operation is `walks.air.openWeather`.
  ///
  /// - Throws: As ``weather(at:)``, and `walks.noConditions` when the service has nothing for the place.
  @concurrent
  public func airQuality(at place: Coordinate) async throws -> AirQuality {
    try await exchange.value(
      from: url.appending(path: "air_pollution"), asking: question(place),
      operation: "walks.air.openWeather"
    ) { try OpenWeatherAnswer($0).air() }
  }

  private var exchange: ConditionsExchange {
    ConditionsExchange(transport: transport, key: key, fields: fields, timeout: timeout)
  }

  private func question(_ place: Coordinate) -> [(name: String, value: String)] {
    let asked = place.asked
    return [("lat", asked.latitude), ("lon", asked.longitude), ("appid", key.text)]
  }
}
