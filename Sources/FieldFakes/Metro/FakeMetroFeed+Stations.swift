internal import FieldCore
internal import FieldFoundation

extension FakeMetroFeed {
  /// Returns the open feed, or 304 if the client already has the file.
  func stationsAnswer(to request: TransportRequest) -> TransportResponse {
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

  /// The rows of today's feed, with English names, which older formats lack.
  private var plainRows: [String] {
    let isPresent = stationForm == .plain
    let time = isPresent ? FakeTime.digits : FakeTime.local
    let moving = enteringTrains.map { train in
      var members = [("Station", Self.named(train.station))]
      if isPresent { members.append(("StationEn", train.station.english)) }
      members.append(("Destination", Self.named(train.destination)))
      if isPresent { members.append(("DestinationEn", train.destination.english)) }
      members.append(("UpdateTime", time(train.entry)))
      return FakeTime.object(members)
    }
    let standing = frozen.map { train in
      FakeTime.object([
        ("Station", train.station), ("Destination", train.destination),
        ("UpdateTime", time(Int(train.date.timeIntervalSince1970))),
      ])
    }
    return moving + standing
  }

  /// Returns the name with 站, which the feed appends to every name but the one that ends with it.
  private static func named(_ station: Line.Station) -> String {
    station.name.hasSuffix("站") ? station.name : station.name + "站"
  }

  // MARK: data.taipei

  /// Returns a page of data.taipei's rows, with at most 1,000, whatever the requested limit.
  func openDataAnswer(to request: TransportRequest) -> TransportResponse {
    let query = request.query
    let resource = query["rid"] ?? request.url.lastPathComponent
    if retiredResources.contains(resource) { return TransportResponse(status: 404) }
    let (limit, offset) = query.page(defaultLimit: 20, cap: 1000)
    return .json(FakeTaipeiOpenData.page(openDataRows, limit: limit, offset: offset) { $0 })
  }

  /// The rows, with a time whose fraction lacks its trailing zeros, as on the real portal.
  private var openDataRows: [String] {
    let moving = enteringTrains.enumerated().map { index, train in
      let fraction = ["", ".5", ".25", ".953"][(train.entry % 4 + 4) % 4]
      return (
        Self.named(train.station), Self.named(train.destination),
        FakeTime.local(train.entry) + fraction
      )
    }
    let standing = frozen.map {
      ($0.station, $0.destination, FakeTime.local(Int($0.date.timeIntervalSince1970)))
    }
    return (moving + standing).enumerated().map { index, row in
      "{\"_id\":\(index + 1),\"Station\":\(FakeJSON.quoted(row.0)),"
        + "\"Destination\":\(FakeJSON.quoted(row.1)),\"UpdateTime\":\(FakeJSON.quoted(row.2))}"
    }
  }
}
