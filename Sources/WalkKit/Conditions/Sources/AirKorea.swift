public import FieldCore
public import FieldFoundation

/// The hourly measurements of Korea's stations, from AirKorea on data.go.kr.
///
/// ```swift
/// let source = AirKorea(key: key, stationName: "종로구", transport: URLSessionTransport())
/// let air = try await source.airQuality(at: place)
/// print(air.pm10 as Any, air.grade()?.koreanName ?? "", air.measuredAt as Any)
/// ```
///
/// The service is asked by the name of a station. Give one name, or give stations with their places:
/// then the nearest is asked, and the next one when that has neither value, as about one in ten has
/// not. ``AirQuality/station`` says which it was.
///
/// The key is the caller's, plain or percent-encoded as data.go.kr shows it; it goes into the query, as
/// the service wants it, and is part of no log, no description and no error. A free key allows 500
/// calls a day and values change once an hour, so wrap the source with
/// ``AirQualitySource/cachedAirQuality(clock:)``.
public struct AirKorea: AirQualitySource {
  /// Where the service is.
  public var url: URL
  /// Header fields that are sent along, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// How long an exchange may take; 20 seconds unless told otherwise.
  public var timeout: Duration
  /// How many of the nearest stations are asked until one has a value; 3 unless told otherwise.
  public var stationLimit: Int
  /// How many hours before a station's newest row its values are still taken, when the newest has
  /// none; 2 unless told otherwise. ``AirQuality/measuredAt`` is the hour of the values.
  public var hoursBack: Int

  private let key: ServiceKey
  private let choice: Choice
  private let transport: any Transport

  private enum Choice: Sendable {
    case name(String)
    case nearest([AirStation])
  }

  /// Makes a source of one station, whatever the place.
  ///
  /// - Parameters:
  ///   - key: The service key.
  ///   - stationName: The station, such as `종로구`.
  ///   - transport: What sends the requests.
  ///   - url: Where the service is.
  public init(
    key: String, stationName: String, transport: any Transport, url: URL = Self.presentAddress
  ) {
    self.init(ServiceKey(key), .name(stationName), transport, url)
  }

  /// Makes a source that asks the station nearest to a place.
  ///
  /// - Parameters:
  ///   - key: The service key.
  ///   - stations: The stations to choose from.
  ///   - transport: What sends the requests.
  ///   - url: Where the service is.
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
    fields = [:]
    timeout = .seconds(20)
    stationLimit = 3
    hoursBack = 2
  }

  /// Where the service is.
  public static var presentAddress: URL {
    URL(
      literal:
        "https://apis.data.go.kr/B552584/ArpltnInforInqireSvc/getMsrstnAcctoRltmMesureDnsty")
  }

  /// Asks for the measurements of a station. The request's operation is `walks.air.airKorea`.
  ///
  /// - Returns: The newest row with a value; when there is none, the newest row of the nearest station,
  ///   with what it says in place of values.
  /// - Throws: `FieldError` with the code `walks.serviceKeyRefused` or `http.tooManyRequests` when the
  ///   service says so (it does with 200 and XML), `walks.noConditions` when it does not know the
  ///   station, `walks.conditionsRefused` for another error of its own, and those of the transport and
  ///   of bodies that are neither JSON nor such XML.
  @concurrent
  public func airQuality(at place: Coordinate) async throws -> AirQuality {
    let names = names(near: place)
    guard !names.isEmpty else {
      throw FieldError(
        .invalidInput, "AirKorea is asked by station, and none was given",
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
        // A station that was closed or renamed says nothing of the next one.
        failure = failure ?? error
      }
    }
    if let nearest { return nearest }
    throw failure ?? FieldError(.noConditions, "no station has a row", operation: Self.operation)
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
