internal import FieldCore
internal import FieldFoundation

extension FakeMetroFeed {
  /// Returns the open feed, or 304 if the client already has the file.
  func stationsResponse(to request: TransportRequest) -> TransportResponse {
    let tag = "\"\(stationForm.rawValue)-\(written)\""
    let fields: HTTPHeaderFields = ["ETag": tag, "Content-Type": "application/octet-stream"]
    if request.fields["If-None-Match"] == tag {
      return TransportResponse(status: 304, fields: fields)
    }
    return TransportResponse(status: 200, fields: fields, body: .bytes(stations))
  }

  private var stations: [UInt8] {
    switch stationForm {
    case .plain: [0xEF, 0xBB, 0xBF] + Array("[\(plainRows.joined(separator: ",\n"))]".utf8)
    case .resource: Array(resource.utf8)
    case .resourceInBig5: Big5.bytes(resource) ?? []
    case .openData: Array(FakeTaipeiOpenData.page(openDataRows, limit: 20, offset: 0) { $0 }.utf8)
    }
  }

  private var resource: String { "{\"resource\":[\(plainRows.joined(separator: ","))]}" }

  /// A row of the open feed and of data.taipei; without a train, it never changes.
  private typealias Row = (station: String, destination: String, time: Int64, train: FakeTrain?)

  private var rows: [Row] {
    let moving = enteringTrains.map { train -> Row in
      (Self.named(train.station), Self.named(train.destination), train.entry, train)
    }
    return moving
      + frozen.map { ($0.station, $0.destination, Int64($0.date.timeIntervalSince1970), nil) }
  }

  /// The rows of today's feed, with English names, which older formats lack.
  private var plainRows: [String] {
    let isPresent = stationForm == .plain
    let time = isPresent ? FakeTime.digits : FakeTime.local
    return rows.map { row in
      let train = isPresent ? row.train : nil
      var members = [("Station", row.station)]
      if let train { members.append(("StationEn", train.station.english)) }
      members.append(("Destination", row.destination))
      if let train { members.append(("DestinationEn", train.destination.english)) }
      return FakeTime.object(members + [("UpdateTime", time(row.time))])
    }
  }

  /// Returns the name with 站, which the feed appends to every name but the one that ends with it.
  private static func named(_ station: Line.Station) -> String {
    station.name.hasSuffix("站") ? station.name : station.name + "站"
  }

  // MARK: data.taipei

  /// Returns a page of data.taipei's rows, with at most 1,000, whatever the requested limit.
  func openDataResponse(to request: TransportRequest) -> TransportResponse {
    let query = request.query
    let resource = query["rid"] ?? request.url.lastPathComponent
    if retiredResources.contains(resource) { return TransportResponse(status: 404) }
    let (limit, offset) = query.page(defaultLimit: 20, cap: 1000)
    return .json(FakeTaipeiOpenData.page(openDataRows, limit: limit, offset: offset) { $0 })
  }

  /// The rows, with a time whose fraction lacks its trailing zeros, as on the real portal.
  private var openDataRows: [String] {
    rows.enumerated().map { index, row in
      let fraction = row.train == nil ? "" : ["", ".5", ".25", ".953"][Int((row.time % 4 + 4) % 4)]
      let time = FakeTime.local(row.time) + fraction
      return "{\"_id\":\(index + 1),\"Station\":\(FakeJSON.quoted(row.station)),"
        + "\"Destination\":\(FakeJSON.quoted(row.destination)),"
        + "\"UpdateTime\":\(FakeJSON.quoted(time))}"
    }
  }
}
