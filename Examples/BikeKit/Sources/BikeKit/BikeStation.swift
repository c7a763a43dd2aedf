// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverForceUnwrap
import FieldCore
import Foundation

/// A station of Taipei's YouBike.
public struct BikeStation: CatalogRecord, Hashable {
  public static let columns = [  // The names in YouBike 2.0 and 1.0.
    RowColumn("id", "sno"), RowColumn("bikes", "available_rent_bikes", "sbi"),
    RowColumn("fullName", "sna"), RowColumn("docks", "available_return_bikes", "bemp"),
    RowColumn("address", "ar"), RowColumn("updated", "srcUpdateTime", "mday"),
  ]
  public static let timeZone: FixedZone? = .taipei
  public let id: RecordID<BikeStation>
  public let bikes, docks: Int
  public let fullName, address: String?
  public let coordinate: Coordinate?
  public let updated: Date?
  public var name: String { fullName?.replacing("YouBike2.0_", with: "") ?? "" }
  public var searchText: String { "\(name) \(address ?? "")" }
}
extension Catalog<BikeStation> {
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    let address = "https://tcgbusfs.blob.core.windows.net/dotapp/youbike/v2/youbike_immediate.json"
    self.init(
      "bikes", at: URL(string: address)!, storage: storage, transport: transport, clock: clock,
      policy: .every(.seconds(60)))
  }
}
