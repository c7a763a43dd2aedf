public import FieldCore
public import FieldFoundation

extension Batch<Arrival> {
  /// Creates a batch by reading a feed in any known format.
  ///
  /// - The plain array of `stations.json`, with or without a byte-order mark.
  /// - Its earlier form, `{"resource": […]}`, in Big5 or UTF-8.
  /// - The rows of data.taipei under `result.results`.
  /// - The array followed by a SOAP envelope from api.metro.taipei, and the one inside an element
  ///   of the envelope, including entities.
  /// - TDX's live board, as an array or under `StationLiveBoards`.
  ///
  /// Neither a feed without rows nor a name that isn't in the network is an error here.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response, or the content of a file.
  ///   - network: The network in which names are looked up.
  ///   - estimateUnit: The unit of TDX's estimates.
  /// - Throws: `FieldError` with a `rows.…` code if the bytes aren't a feed or only part of one, or
  ///   with `metro.refused` if they are a SOAP fault. A row that can't be used doesn't throw; it is
  ///   among the failures.
  public init(
    reading bytes: [UInt8], network: MetroNetwork = .taipei,
    estimateUnit: TDXLiveBoard.EstimateUnit = .seconds
  ) throws {
    let rows = Result { () throws(any Error) in
      try Batch(unicode: bytes, network, estimateUnit)
    }
    // Valid UTF-8 isn't Big5, so hardly any body is read twice. Other bytes can be Big5 by chance,
    // but then none of their names is a station's.
    if case .success(let rows) = rows, rows.failures.isEmpty {
      self = rows
    } else if let text = FeedBody.unicode(fromBig5: bytes),
      let rows = try? Batch(unicode: text, network, estimateUnit),
      rows.records.contains(where: { $0.station != nil || $0.destination != nil })
    {
      self = rows
    } else {
      self = try rows.get()
    }
  }

  private init(
    unicode bytes: [UInt8], _ network: MetroNetwork, _ unit: TDXLiveBoard.EstimateUnit
  ) throws {
    let body = try FeedBody(bytes)
    var reader = ArrivalReader(network: network, estimateUnit: unit)
    let summary = try RowReader.forEachRow(
      of: body.json, columns: ArrivalColumn.all, key: ArrivalColumn.station, format: body.format
    ) { row throws(RowProblem) in
      try reader.read(row)
    }
    self.init(of: reader.arrivals, summary.failures, summary.rowCount, summary.announcedRows)
  }

  init(
    of arrivals: [Arrival], _ failures: [RowFailure], _ rowCount: Int, _ announcedCount: Int?
  ) {
    self.init(
      records: arrivals, failures: failures,
      facts: PageMetadata(rowCount: rowCount, announcedCount: announcedCount))
  }

  /// The feed's unreadable times, as written and in its order.
  public var unreadTimes: [String] {
    records.compactMap(\.updatedAt).filter { $0.instant == nil }.map(\.rawText)
  }

  /// The names of stations and destinations that aren't in the network, each once, in the order of
  /// the feed.
  public var unknownStations: [String] { records.unknownNames }

  /// The latest time of the feed; `nil` if none is readable.
  public var newest: FeedTime? { records.newest?.updatedAt }

  static func noRows(_ kept: String = "") -> FieldError {
    FieldError(
      .emptyFeed,
      "The feed has no rows, although it has some even at night.\(kept) Try again later.")
  }

  /// Throws an error if there are more rows than the limits allow, or none.
  func check(_ limits: FeedLimits) throws(FieldError) {
    let count = facts.rowCount
    if count == 0, !limits.allowsNoRows { throw Self.noRows() }
    if count > limits.rows {
      throw FieldError(
        .feedTooLarge, "The feed has \(count) rows, but FeedLimits allows \(limits.rows).")
    }
  }
}

extension FileRows<Arrival> {
  /// Creates a source that reads arrivals from a file: a saved response of any of the feeds.
  ///
  /// ```swift
  /// let metro = Metro(source: FileRows<Arrival>(url), storage: .inMemory)
  /// try await metro.refresh()
  /// ```
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - network: The network in which names are looked up.
  ///   - limits: The limits for the file.
  public init(_ url: URL, network: MetroNetwork = .taipei, limits: FeedLimits = .default) {
    self.init(
      url, dataSource: .metroArrivals, byteLimit: limits.bytes, operation: "metro.file",
      fingerprint: ""
    ) { bytes in
      let batch = try Batch<Arrival>(reading: bytes, network: network)
      try batch.check(limits)
      return batch
    }
  }
}

extension Sequence<Arrival> {
  /// The names of stations and destinations that aren't in the network, each once, in order.
  var unknownNames: [String] {
    var names: [String] = []
    for arrival in self {
      if arrival.station == nil { names.append(arrival.stationName) }
      if arrival.destination == nil { names.append(arrival.destinationName) }
    }
    return names.uniqued()
  }

  /// The first of the arrivals with the latest time; `nil` if no time is readable.
  var newest: Arrival? {
    lazy.filter { $0.updatedAt?.instant != nil }.max {
      ($0.updatedAt?.instant ?? .distantPast) < ($1.updatedAt?.instant ?? .distantPast)
    }
  }
}
