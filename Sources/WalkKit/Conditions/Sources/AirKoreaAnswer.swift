internal import FieldCore
internal import FieldFoundation

/// A response of AirKorea: rows in which everything is text, or one of three forms of an error.
struct AirKoreaAnswer {
  private let items: [JSONValue]

  /// Parses a body, and throws the error that the service reports.
  ///
  /// The gateway in front of the service responds with XML whatever was requested, and with status
  /// 200.
  init(_ bytes: [UInt8]) throws {
    if let refusal = GatewayRefusal(bytes) { throw refusal.error }
    let body = try JSONDocument.value(bytes)
    // Some responses of data.go.kr lack the outermost key.
    let response = body["response"] ?? body
    // The gateway's own error as JSON.
    if let head = body["OpenAPI_ServiceResponse"]?["cmmMsgHeader"] {
      throw GatewayRefusal(
        code: head["returnReasonCode"]?.words ?? "?",
        reason: (head["returnAuthMsg"] ?? head["errMsg"])?.words ?? "no reason given"
      ).error
    }
    if let code = response["header"]?["resultCode"]?.words, code != "00", code != "0" {
      throw GatewayRefusal(
        code: code, reason: response["header"]?["resultMsg"]?.words ?? "no reason given"
      ).error
    }
    switch response["body"]?["items"] {
    case .array(let rows): items = rows
    case .object(let members):
      // Some services of data.go.kr write a list with one element in this way.
      let inner = JSONValue.object(members)["item"] ?? .object(members)
      items = inner.elements ?? [inner]
    case .string(let text) where text.tidy.isEmpty: items = []
    case .null: items = []
    default:
      throw FieldError(.schema, "The response has no response.body.items.")
    }
  }

  /// Returns the newest row with a value, or else the newest row.
  func air(station: String, hoursBack: Int) throws -> AirQuality {
    let rows = items.map { Self.air($0, station: station) }
      .enumerated()
      .sorted { left, right in
        // Rows without a time come last; the service returns the newest row first.
        (left.element.measuredAt ?? .distantPast, right.offset)
          > (right.element.measuredAt ?? .distantPast, left.offset)
      }
      .map(\.element)
    guard let newest = rows.first else {
      throw FieldError(.noConditions, "AirKorea has no rows for the station \(station).")
    }
    let oldest = newest.measuredAt.map { $0.addingTimeInterval(Double(max(hoursBack, 0)) * -3600) }
    return rows.first { row in
      guard row.pm10 != nil || row.pm25 != nil else { return false }
      guard let oldest else { return true }
      return row.measuredAt.map { $0 >= oldest } ?? false
    } ?? newest
  }

  private static func air(_ row: JSONValue, station: String) -> AirQuality {
    let flags = [row["pm10Flag"]?.words, row["pm25Flag"]?.words]
      .map { $0.map(AirQuality.Flag.init(rawValue:)) }
    // A value beside a flag is what the station displayed when it failed. Grades aren't read at
    // all, because they don't change when the values are missing.
    return AirQuality(
      pm10: flags[0] == nil ? row["pm10Value"]?.double : nil,
      pm25: flags[1] == nil ? row["pm25Value"]?.double : nil,
      measuredAt: row["dataTime"]?.words.flatMap { Self.parser.instant($0)?.date },
      station: row["stationName"]?.words ?? station,
      pm10Flag: flags[0], pm25Flag: flags[1])
  }

  /// A parser of Korean time, in which the last hour of a day is 24:00.
  private static let parser = TimestampParser(zone: .seoul)
}
