import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("AirKorea", .timeLimit(.minutes(60)))
struct AirKoreaTests {
  private let fake = FakeWeather()

  private func source(key: String? = nil) -> AirKorea {
    AirKorea(key: key ?? fake.airKoreaKey, stationName: "종로구", transport: fake)
  }

  private var place: Coordinate {
    get throws { try Coordinate(latitude: 37.572, longitude: 127.005) }
  }

  @Test(
    "AirKorea returns the newest hour of a station in Korea's time, including the last of a day")
  func newest() async throws {
    fake.stations["종로구"] = [
      .init(time: "2024-03-06 24:00", pm10: "45", pm25: "21"),
      .init(time: "2024-03-06 23:00", pm10: "90", pm25: "50"),
    ]
    let air = try await source().airQuality(at: try place)
    #expect(air.pm10 == 45)
    #expect(air.pm25 == 21)
    #expect(air.grade() == .moderate)
    #expect(air.station == "종로구")
    // 2024-03-07 00:00 in Seoul.
    #expect(air.measuredAt == Date(timeIntervalSince1970: 1_709_737_200))
  }

  @Test("AirKorea doesn't rely on the order of rows")
  func order() async throws {
    fake.stations["종로구"] = [
      .init(time: "2024-03-06 09:00", pm10: "90", pm25: "50"),
      .init(time: "2024-03-06 10:00", pm10: "10", pm25: "5"),
    ]
    #expect(try await source().airQuality(at: try place).pm10 == 10)
  }

  @Test(
    "AirKorea has no value if a station says so, whatever its grade is",
    arguments: [
      ("-", "통신장애"), ("-", nil), (nil, nil), ("", nil), ("55", "통신장애"), ("55", "점검및교정"),
      ("55", "자료이상"), ("-3", nil), ("n/a", nil), ("NaN", nil),
    ] as [(String?, String?)])
  func missing(value: String?, flag: String?) async throws {
    fake.stations["종로구"] = [
      .init(time: "2023-08-17 10:00", pm10: value, pm25: value, flag: flag, grade: "1")
    ]
    let air = try await source().airQuality(at: try place)
    #expect(air.pm10 == nil)
    #expect(air.pm25 == nil)
    #expect(air.grade() == nil)
    #expect(air.pm10Flag?.rawValue == flag)
  }

  @Test("AirKorea uses the previous hour while the newest has no value, and reports which it was")
  func hoursBack() async throws {
    fake.stations["종로구"] = [
      .init(time: "2024-03-06 12:00", pm10: "-", pm25: "-", flag: "통신장애"),
      .init(time: "2024-03-06 11:00", pm10: "-", pm25: "-", flag: "통신장애"),
      .init(time: "2024-03-06 10:00", pm10: "33", pm25: "-"),
    ]
    let air = try await source().airQuality(at: try place)
    #expect(air.pm10 == 33)
    #expect(air.measuredAt == Date(timeIntervalSince1970: 1_709_686_800))
    var impatient = source()
    impatient.hoursBack = 1
    let none = try await impatient.airQuality(at: try place)
    #expect(none.pm10 == nil)
    #expect(none.pm10Flag == .communicationFailure)
    #expect(none.measuredAt == Date(timeIntervalSince1970: 1_709_694_000))
  }

  @Test("AirKorea queries the nearest station, and the next one while that has no value")
  func nearest() async throws {
    let stations = [
      AirStation(name: "강남구", coordinate: try Coordinate(latitude: 37.517, longitude: 127.047)),
      AirStation(name: "종로구", coordinate: try Coordinate(latitude: 37.572, longitude: 127.005)),
      AirStation(name: "중구", coordinate: try Coordinate(latitude: 37.564, longitude: 126.976)),
    ]
    let source = AirKorea(key: fake.airKoreaKey, stations: stations, transport: fake)
    fake.stations["종로구"] = [.init(time: "2024-03-06 12:00", pm10: "-", pm25: "-")]
    fake.stations["중구"] = [.init(time: "2024-03-06 12:00", pm10: "70", pm25: "-")]
    let air = try await source.airQuality(at: try place)
    #expect(air.pm10 == 70)
    #expect(air.station == "중구")
    #expect(fake.requests.count == 2)
    fake.stations["중구"] = nil
    let none = try await source.airQuality(at: try place)
    #expect(none.station == "종로구")
    #expect(none.grade() == nil)
  }

  @Test(
    "AirKorea accepts the key plain or percent-encoded, and sends it encoded once",
    arguments: ["a+b/c0123456789==", "a%2Bb%2Fc0123456789%3D%3D", " a%2bb%2fc0123456789%3d%3d\n"])
  func keys(key: String) async throws {
    fake.stations["종로구"] = [.init(time: "2024-03-06 12:00", pm10: "1", pm25: "1")]
    _ = try await source(key: key).airQuality(at: try place)
    let query = try #require(fake.requests.first?.url.absoluteString)
    #expect(query.hasSuffix("&serviceKey=a%2Bb%2Fc0123456789%3D%3D"))
    #expect(query.contains("stationName=%EC%A2%85%EB%A1%9C%EA%B5%AC&dataTerm=DAILY"))
    #expect(query.contains("returnType=json"))
  }

  @Test(
    "AirKorea distinguishes its errors, including those in XML with the status 200",
    arguments: [
      (
        FakeWeather.Failure.gateway(30, reason: "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"),
        "walks.serviceKeyRefused"
      ),
      (.gateway(31, reason: "DEADLINE_HAS_EXPIRED_ERROR"), "walks.serviceKeyRefused"),
      (.gateway(20, reason: "SERVICE_ACCESS_DENIED_ERROR"), "walks.serviceKeyRefused"),
      (
        .gateway(22, reason: "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"),
        "http.tooManyRequests"
      ),
      (.gateway(1, reason: "APPLICATION_ERROR"), "walks.conditionsRefused"),
      (.gateway(12, reason: "NO_OPENAPI_SERVICE_ERROR"), "walks.conditionsRefused"),
      (.airKorea(code: "03", message: "NODATA_ERROR"), "walks.noConditions"),
      (.airKorea(code: "99", message: "UNKNOWN_ERROR"), "walks.conditionsRefused"),
      (
        .airKorea(code: "30", message: "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"),
        "walks.serviceKeyRefused"
      ),
      (.status(401), "walks.serviceKeyRefused"), (.status(429), "http.tooManyRequests"),
      (.status(500), "http.status"), (.status(304), "rows.malformed"),
      (.body("<html><body>점검 중</body></html>", type: "text/html"), "rows.notData"),
      (.body("SERVICE_KEY", type: "text/plain"), "walks.serviceKeyRefused"),
      (.body("Unauthorized", type: "text/plain"), "walks.serviceKeyRefused"),
      (.body("API rate limit exceeded\n", type: "text/plain"), "http.tooManyRequests"),
      (.body("점검 중", type: "text/plain"), "walks.conditionsRefused"),
      (.body("tru", type: "text/plain"), "rows.cut"),
      (.body("", type: "application/json"), "rows.empty"),
      (.body(#"{"response":{}}"#, type: "application/json"), "rows.schema"),
      (.body(#"{"response":{"body":{"items":5}}}"#, type: "application/json"), "rows.schema"),
      (.body(#"{"response":{"body":{"items":["#, type: "application/json"), "rows.cut"),
    ])
  func errors(failure: FakeWeather.Failure, code: String) async throws {
    fake.fail(failure)
    let error = await errorAnswer(ofAir: source(), at: try place)
    #expect(error?.code.rawValue == code)
    #expect(error?.operation == "walks.air.airKorea")
  }

  @Test("AirKorea reports an unknown station, and a missing one")
  func noStation() async throws {
    let error = await errorAnswer(ofAir: source(), at: try place)
    #expect(error?.code == .noConditions)
    let empty = AirKorea(key: "k", stations: [], transport: fake)
    let second = await errorAnswer(ofAir: empty, at: try place)
    #expect(second?.code == .invalidInput)
    #expect(fake.requests.count == 1)
  }

  @Test(
    "AirKorea recognizes errors of the gateway in JSON, and a response without rows",
    arguments: [
      (
        #"{"OpenAPI_ServiceResponse":{"cmmMsgHeader":{"errMsg":"SERVICE ERROR","returnAuthMsg":"#
          + #""LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR","returnReasonCode":"22"}}}"#,
        FieldError.Code.tooManyRequests
      ),
      (
        #"{"OpenAPI_ServiceResponse":{"cmmMsgHeader":{"errMsg":"SERVICE_KEY_IS_NOT_REGISTERED_ERROR"}}}"#,
        .serviceKeyRefused
      ),
      (
        #"{"response":{"body":{"items":null,"totalCount":0},"header":{"resultCode":"00"}}}"#,
        .noConditions
      ),
    ])
  func otherErrors(body: String, code: FieldError.Code) async throws {
    fake.fail(.body(body, type: "application/json"))
    let error = await errorAnswer(ofAir: source(), at: try place)
    #expect(error?.code == code)
  }

  @Test("AirKorea quotes the key in no error, in neither form")
  func secret() async throws {
    let error = await errorAnswer(ofAir: source(key: "hunter%2Bhunter2"), at: try place)
    let failure = try #require(error)
    #expect(failure.code == .serviceKeyRefused)
    let text = "\(failure) \(failure.response as Any) \(source(key: "hunter+hunter2"))"
    #expect(!text.contains("hunter"))
  }

  @Test("AirKorea accepts the other forms of rows")
  func otherForms() async throws {
    let row = #"{"dataTime":"2024-03-06 12:00","pm10Value":44,"pm25Value":"9 "}"#
    for body in [
      #"{"response":{"header":{"resultCode":"00"},"body":{"items":{"item":[\#(row)]}}}}"#,
      #"{"header":{"resultCode":0},"body":{"items":{"item":\#(row)}}}"#,
      #"{"response":{"body":{"items":[{"dataTime":null},\#(row),5,null]}}}"#,
    ] {
      fake.fail(.body(body, type: "application/json"))
      let air = try await source().airQuality(at: try place)
      #expect(air.pm10 == 44)
      #expect(air.pm25 == 9)
    }
    fake.fail(
      .body(#"{"response":{"body":{"items":""}}}"#, type: "application/json"))
    let error = await errorAnswer(ofAir: source(), at: try place)
    #expect(error?.code == .noConditions)
  }
}
