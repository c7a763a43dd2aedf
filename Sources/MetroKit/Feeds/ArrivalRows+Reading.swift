internal import FieldCore

extension ArrivalRows {
  /// Reads a feed of any known form:
  ///
  /// - the plain array of `stations.json`, with or without a byte-order mark;
  /// - the `{"resource": […]}` that it was before, in Big5 or UTF-8;
  /// - the rows of data.taipei under `result.results`;
  /// - the array with a SOAP envelope behind it of api.metro.taipei, and the one inside an element of
  ///   the envelope, entities and all;
  /// - TDX's live board, as an array or under `StationLiveBoards`.
  ///
  /// A feed without rows is no error here, and neither is a name that the network does not know.
  ///
  /// - Parameters:
  ///   - bytes: The body of the answer, or the content of a file.
  ///   - network: Where names are looked up.
  ///   - estimateUnit: What TDX counts its estimates in.
  /// - Throws: `FieldError` with a `rows.…` code when the bytes are no feed or only a part of one, and
  ///   with `metro.refused` when they are a fault of the service. A row that cannot be used is no
  ///   error: it is among ``failures``.
  public init(
    reading bytes: [UInt8], network: MetroNetwork = .taipei,
    estimateUnit: TDXLiveBoard.EstimateUnit = .seconds
  ) throws {
    let rows = Result { () throws(any Error) in
      try ArrivalRows(unicode: bytes, network, estimateUnit)
    }
    // UTF-8 that is read without a fault is not Big5, so hardly any body is looked at twice.
    if case .success(let rows) = rows, rows.failures.isEmpty {
      self = rows
    } else if let rows = Self.inBig5(bytes, network, estimateUnit) {
      self = rows
    } else {
      self = try rows.get()
    }
  }

  /// The rows of a body in Big5; nil when it is none. Bytes of something else can be Big5 by chance,
  /// but then no name among them is a station's.
  private static func inBig5(
    _ bytes: [UInt8], _ network: MetroNetwork, _ unit: TDXLiveBoard.EstimateUnit
  ) -> ArrivalRows? {
    guard let text = FeedBody.unicode(fromBig5: bytes),
      let rows = try? ArrivalRows(unicode: text, network, unit),
      rows.arrivals.contains(where: { $0.station != nil || $0.destination != nil })
    else { return nil }
    return rows
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
    self.init(
      arrivals: reader.arrivals, failures: summary.failures, count: summary.rowCount,
      announcedCount: summary.announcedRows)
  }

  /// Throws when there are more rows than the limits allow, or none.
  func check(_ limits: FeedLimits) throws(FieldError) {
    if count == 0, !limits.allowsNoRows {
      throw FieldError(
        .emptyFeed, "the feed has no rows, and has some even at night; try again later")
    }
    if count > limits.rows {
      throw FieldError(
        .feedTooLarge, "the feed has \(count) rows, and \(limits.rows) are allowed; see FeedLimits")
    }
  }
}
