internal import FieldCore

extension ArrivalRows {
  /// Creates rows by reading a feed in any known format.
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
  ///   among ``failures``.
  public init(
    reading bytes: [UInt8], network: MetroNetwork = .taipei,
    estimateUnit: TDXLiveBoard.EstimateUnit = .seconds
  ) throws {
    let rows = Result { () throws(any Error) in
      try ArrivalRows(unicode: bytes, network, estimateUnit)
    }
    // Valid UTF-8 isn't Big5, so hardly any body is read twice. Other bytes can be Big5 by chance,
    // but then none of their names is a station's.
    if case .success(let rows) = rows, rows.failures.isEmpty {
      self = rows
    } else if let text = FeedBody.unicode(fromBig5: bytes),
      let rows = try? ArrivalRows(unicode: text, network, estimateUnit),
      rows.arrivals.contains(where: { $0.station != nil || $0.destination != nil })
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
    self.init(
      arrivals: reader.arrivals, failures: summary.failures, count: summary.rowCount,
      announcedCount: summary.announcedRows)
  }

  static func noRows(_ kept: String = "") -> FieldError {
    FieldError(
      .emptyFeed,
      "The feed has no rows, although it has some even at night.\(kept) Try again later.")
  }

  /// Throws an error if there are more rows than the limits allow, or none.
  func check(_ limits: FeedLimits) throws(FieldError) {
    if count == 0, !limits.allowsNoRows { throw Self.noRows() }
    if count > limits.rows {
      throw FieldError(
        .feedTooLarge, "The feed has \(count) rows, but FeedLimits allows \(limits.rows).")
    }
  }
}
