import FieldCore
import Foundation

/// A station of Taipei's YouBike.
public struct BikeStation: CatalogRecord, RowReadable, Hashable {
  /// The columns of the data, each with the name that it had in YouBike 1.0.
  public static let columns = [
    RowColumn("sno"), RowColumn("sna"), RowColumn("ar"),
    RowColumn("available_rent_bikes", "sbi"), RowColumn("available_return_bikes", "bemp"),
    RowColumn("latitude", "lat"), RowColumn("longitude", "lng"),
    RowColumn("srcUpdateTime", "mday"),
  ]

  /// The number of the station.
  public let id: RecordID<BikeStation>
  /// The name, such as `捷運科技大樓站`.
  public let name: String
  /// The address.
  public let address: String
  /// The number of bikes that can be rented.
  public let bikes: Int
  /// The number of bikes that can be returned.
  public let docks: Int
  /// Where the station is.
  public let coordinate: Coordinate?
  /// When the numbers were counted.
  public let updated: Date?
  /// The name and the address.
  public var searchText: String { "\(name) \(address)" }

  /// Reads a station from a row.
  public init(row: borrowing SourceRow) throws(RowProblem) {
    guard let number = row.id(0), let bikes = row.integer(3), let docks = row.integer(4) else {
      throw RowProblem("The station has no number, or its bikes aren't counted.")
    }
    id = RecordID(rawValue: number)
    name = (row.text(1) ?? "").replacing("YouBike2.0_", with: "")
    address = row.text(2) ?? ""
    (self.bikes, self.docks) = (bikes, docks)
    coordinate = row.coordinate(latitude: 5, longitude: 6)
    updated = row.date(7, in: .taipei)
  }
}

extension Catalog<BikeStation> {
  /// Creates a catalog of the city's stations, which is refreshed at most once a minute.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    let address = "https://tcgbusfs.blob.core.windows.net/dotapp/youbike/v2/youbike_immediate.json"
    // swift-format-ignore: NeverForceUnwrap
    self.init(
      "bikes", at: URL(string: address)!, storage: storage, transport: transport, clock: clock,
      policy: .every(.seconds(60)))
  }
}
