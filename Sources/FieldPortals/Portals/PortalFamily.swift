/// A family of portals: the software that publishes the data, and so the API to read it with.
public struct PortalFamily: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name of the software.
  public var rawValue: String
  /// Creates a family from the name of its software.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The feature services of ArcGIS Server, ArcGIS Online, and ArcGIS Hub.
  public static var arcGIS: Self { Self(rawValue: "ArcGIS") }
  /// The datastore and the files of CKAN.
  public static var ckan: Self { Self(rawValue: "CKAN") }
  /// The Explore API of OpenDataSoft.
  public static var openDataSoft: Self { Self(rawValue: "OpenDataSoft") }
  /// Socrata's SODA API.
  public static var socrata: Self { Self(rawValue: "Socrata") }
  /// Taipei's portal, data.taipei.
  public static var taipei: Self { Self(rawValue: "data.taipei") }

  /// The name of the software.
  public var description: String { rawValue }
}
