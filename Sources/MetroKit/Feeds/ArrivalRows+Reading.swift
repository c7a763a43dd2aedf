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
    // Wrong UTF-8 can be made up of Big5's bytes by chance; then the names are none.
    if let text = FeedBody.unicode(fromBig5: bytes) {
      let rows = try ArrivalRows(unicode: text, network, estimateUnit)
      if rows.arrivals.contains(where: { $0.station != nil || $0.destination != nil }) {
        self = rows
        return
      }
    }
    try self.init(unicode: bytes, network, estimateUnit)
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
