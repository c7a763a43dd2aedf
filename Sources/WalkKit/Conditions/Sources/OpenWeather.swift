public import FieldCore
public import FieldFoundation

/// A source of OpenWeather's weather and air pollution by place.
///
/// ```swift
/// let source = OpenWeather(key: key, transport: URLSessionTransport())
/// let report = try await source.weather(at: place)
/// let air = try await source.airQuality(at: place)
/// print(report.weather ?? .clear, air.grade(.openWeather) as Any)
/// ```
///
/// Pass your API key; free ones allow 60 calls a minute. The key is sent in the query, as the
/// service requires, and never appears in logs, descriptions, or errors. The place is sent with
/// three decimal places, about a hundred meters. Units are requested explicitly (`metric`), because
/// the service defaults to kelvins.
///
/// The air quality values come from a model rather than from a station. OpenWeather's index from 1
/// through 5 isn't used, because it also counts gases. Values are graded by a ``DustScale``.
public struct OpenWeather: WeatherSource, AirQualitySource {
  /// The address of the service, up to `/data/2.5`.
  public var url: URL
  /// Additional header fields to send, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// The timeout of a request.
  ///
  /// Defaults to 20 seconds.
  public var timeout: Duration

  private let key: ServiceKey
  private let transport: any Transport

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - key: The API key, `appid`.
  ///   - transport: The transport to send requests with.
  ///   - url: The address of the service.
  ///   - fields: Additional header fields to send.
  ///   - timeout: The timeout of a request. Defaults to 20 seconds.
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

  /// The current address of the service.
  public static var presentAddress: URL {
    URL(literal: "https://api.openweathermap.org/data/2.5")
  }

  /// Fetches the weather.
  ///
  /// The operation of the request is `walks.weather.openWeather`.
  ///
  /// - Throws: `FieldError` with the code `walks.serviceKeyRefused` or `http.tooManyRequests` if
  ///   the service reports that, `walks.noConditions` if it has nothing for the place,
  ///   `walks.conditionsRefused` for its other errors, and the errors of the transport and of
  ///   bodies that aren't JSON.
  @concurrent
  public func weather(at place: Coordinate) async throws -> WeatherReport {
    try await exchange.value(
      from: url.appending(path: "weather"),
      asking: query(place) + [("units", "metric")], operation: "walks.weather.openWeather"
    ) { try OpenWeatherAnswer($0).report() }
  }

  /// Fetches the fine dust.
  ///
  /// The operation of the request is `walks.air.openWeather`.
  ///
  /// - Throws: The same errors as ``weather(at:)``.
  @concurrent
  public func airQuality(at place: Coordinate) async throws -> AirQuality {
    try await exchange.value(
      from: url.appending(path: "air_pollution"), asking: query(place),
      operation: "walks.air.openWeather"
    ) { try OpenWeatherAnswer($0).air() }
  }

  private var exchange: ConditionsExchange {
    ConditionsExchange(transport: transport, key: key, fields: fields, timeout: timeout)
  }

  private func query(_ place: Coordinate) -> [(name: String, value: String)] {
    let asked = AskedPlace(place)
    return [("lat", asked.latitude), ("lon", asked.longitude), ("appid", key.text)]
  }
}
