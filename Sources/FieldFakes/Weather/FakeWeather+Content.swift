internal import FieldCore

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
