public import FieldCore
public import FieldFoundation

/// A source of hourly measurements by Korea's stations, from AirKorea on data.go.kr.
///
/// ```swift
/// let source = AirKorea(key: key, stationName: "종로구", transport: URLSessionTransport())
/// let air = try await source.airQuality(at: place)
/// print(air.pm10 as Any, air.grade()?.koreanName ?? "", air.measuredAt as Any)
/// ```
///
/// The service is queried by the name of a station. Pass either one name, or stations with their
/// locations. In the latter case, the nearest station is queried, and then the next one if that
/// station has neither value, which is the case for about one in ten. See ``AirQuality/station``
/// for the station that was used.
///
/// Pass your service key either plain or percent-encoded, as data.go.kr shows it. It is sent in the
/// query, as the service requires, and never appears in logs, descriptions, or errors. A free key
/// allows 500 calls a day and values change once an hour, so wrap the source with
/// ``AirQualitySource/cachedAirQuality(clock:)``.
public struct AirKorea: AirQualitySource {
  /// The address of the service.
  public var url: URL
  /// Additional header fields to send, such as a `User-Agent`.
  public var fields: HTTPHeaderFields = [:]
  /// The timeout of a request.
  ///
  /// Defaults to 20 seconds.
  public var timeout: Duration = .seconds(20)
  /// The number of nearest stations to query until one has a value.
  ///
  /// Defaults to 3.
  public var stationLimit: Int = 3
  /// The number of hours to go back from a station's newest row if that row has no values.
  ///
  /// Defaults to 2. ``AirQuality/measuredAt`` is the hour of the values.
  public var hoursBack: Int = 2

  private let key: ServiceKey
  private let choice: Choice
  private let transport: any Transport

  private enum Choice: Sendable {
    case name(String)
    case nearest([AirStation])
  }

  /// Creates a source that always queries one station.
  ///
  /// - Parameters:
  ///   - key: The service key.
  ///   - stationName: The name of the station, such as `종로구`.
  ///   - transport: The transport to send requests with.
  ///   - url: The address of the service.
  public init(
    key: String, stationName: String, transport: any Transport, url: URL = Self.presentAddress
  ) {
    self.init(ServiceKey(key), .name(stationName), transport, url)
  }

  /// Creates a source that queries the station nearest to a place.
  ///
  /// - Parameters:
  ///   - key: The service key.
  ///   - stations: The stations to choose from.
  ///   - transport: The transport to send requests with.
  ///   - url: The address of the service.
  public init(
    key: String, stations: [AirStation], transport: any Transport, url: URL = Self.presentAddress
  ) {
    self.init(ServiceKey(key), .nearest(stations), transport, url)
  }

  private init(_ key: ServiceKey, _ choice: Choice, _ transport: any Transport, _ url: URL) {
    self.key = key
    self.choice = choice
    self.transport = transport
    self.url = url
  }

  /// The current address of the service.
  public static var presentAddress: URL {
    URL(
      literal:
        "https://apis.data.go.kr/B552584/ArpltnInforInqireSvc/getMsrstnAcctoRltmMesureDnsty")
  }

  /// Fetches the measurements of a station.
  ///
  /// The operation of the request is `walks.air.airKorea`.
  ///
  /// - Returns: The newest row with a value. If there is none, the newest row of the nearest
  ///   station, with its flags in place of values.
  /// - Throws: `FieldError` with the code `walks.serviceKeyRefused` or `http.tooManyRequests` if
  ///   the service reports that (which it does with status 200 and XML), `walks.noConditions` if it
  ///   doesn't know the station, `walks.conditionsRefused` for its other errors, `input.invalid` if
  ///   there is no station to query, and the errors of the transport and of bodies that are neither
  ///   JSON nor such XML.
  @concurrent
  public func airQuality(at place: Coordinate) async throws -> AirQuality {
    let names = names(near: place)
    guard !names.isEmpty else {
      throw FieldError(
        .invalidInput, "AirKorea needs a station, but none was given.",
        operation: Self.operation)
    }
    var nearest: AirQuality?
    var failure: FieldError?
    for name in names {
      do {
        let air = try await measurements(of: name)
        if air.pm10 != nil || air.pm25 != nil { return air }
        nearest = nearest ?? air
      } catch let error as FieldError where error.code == .noConditions {
        // A station that was closed or renamed doesn't affect the next one.
        failure = failure ?? error
      }
    }
    if let nearest { return nearest }
    throw failure ?? FieldError(.noConditions, "No station has data.", operation: Self.operation)
  }

  private static let operation = "walks.air.airKorea"

  private func names(near place: Coordinate) -> [String] {
    switch choice {
    case .name(let name): return name.tidy.isEmpty ? [] : [name.tidy]
    case .nearest(let stations):
      let ranked = stations.map { (name: $0.name, meters: $0.coordinate.distance(to: place)) }
        .sorted { ($0.meters, $0.name) < ($1.meters, $1.name) }
      return ranked.prefix(max(stationLimit, 1)).map(\.name)
    }
  }

  private func measurements(of station: String) async throws -> AirQuality {
    let exchange = ConditionsExchange(
      transport: transport, key: key, fields: fields, timeout: timeout)
    return try await exchange.value(
      from: url,
      asking: [
        ("stationName", station), ("dataTerm", "DAILY"), ("pageNo", "1"), ("numOfRows", "24"),
        ("returnType", "json"), ("ver", "1.3"), ("serviceKey", key.text),
      ],
      operation: Self.operation
    ) { try AirKoreaAnswer($0).air(station: station, hoursBack: hoursBack) }
  }
}
