internal import FieldCore

extension ArrivalBoard {
  /// Returns the rows of a station, in source order.
  ///
  /// ```swift
  /// let board = try await metro.board()
  /// print(board.arrivals(at: "Taipei Main Station", freshOnly: true))
  /// ```
  ///
  /// - Parameters:
  ///   - station: The station in any spelling that ``MetroNetwork/station(named:)`` accepts:
  ///     `台北車站`, `臺北車站`, `淡水` or `淡水站`, `Taipei Main Station`, `R10`. A name that isn't in the
  ///     network matches the rows with that name.
  ///   - freshOnly: Pass `true` to return only ``fresh`` rows. Defaults to `false`.
  public func arrivals(at station: some StringProtocol, freshOnly: Bool = false) -> [Arrival] {
    let place = Place(String(station), in: network)
    let rows = freshOnly ? fresh : arrivals
    return rows.filter { place.matches($0.station, named: $0.stationName) }
  }

  /// Returns the rows of trains to a station, in source order.
  ///
  /// ```swift
  /// show(board.arrivals(to: "淡水", freshOnly: true).map(\.stationName))
  /// ```
  ///
  /// - Parameters:
  ///   - destination: The station in any spelling, as in ``arrivals(at:freshOnly:)``.
  ///   - freshOnly: Pass `true` to return only ``fresh`` rows. Defaults to `false`.
  public func arrivals(to destination: some StringProtocol, freshOnly: Bool = false) -> [Arrival] {
    let place = Place(String(destination), in: network)
    let rows = freshOnly ? fresh : arrivals
    return rows.filter { place.matches($0.destination, named: $0.destinationName) }
  }

  /// Returns the rows of a line, in source order, skipping rows without a known line.
  ///
  /// ```swift
  /// show(board.arrivals(on: .bannan, freshOnly: true).count)
  /// ```
  ///
  /// - Parameters:
  ///   - line: The line, such as `BL`.
  ///   - freshOnly: Pass `true` to return only ``fresh`` rows. Defaults to `false`.
  public func arrivals(on line: MetroLine.ID, freshOnly: Bool = false) -> [Arrival] {
    (freshOnly ? fresh : arrivals).filter { $0.line == line }
  }

  /// The names on the board that aren't in the network, each once, in source order.
  ///
  /// ```swift
  /// if !board.unresolvedNames.isEmpty { print("unknown stations:", board.unresolvedNames) }
  /// ```
  public var unresolvedNames: [String] { arrivals.unknownNames }
}

/// A station as typed or written: one in the network, or a name that only rows may contain.
struct Place {
  private let station: MetroStation.ID?
  private let name: String

  init(_ text: String, in network: MetroNetwork) {
    station = network.station(named: text)?.id
    name = TextFolding.fold(text)
  }

  func matches(_ id: MetroStation.ID?, named rowName: String) -> Bool {
    if let station, let id { return station == id }
    guard !name.isEmpty else { return false }
    let rowName = TextFolding.fold(rowName)
    // A trailing 站 is dropped only from names that aren't in the network: 台北車站 without it, 台北車, is
    // not a station.
    return id == nil
      ? Self.withoutEnding(name) == Self.withoutEnding(rowName) : name == rowName
  }

  private static func withoutEnding(_ name: String) -> Substring {
    name.count > 1 && name.hasSuffix("站") ? name.dropLast() : name[...]
  }
}
