public import FieldCore

extension FieldError.Code {
  /// The table has no usable rows, although it has had dozens since 2015.
  public static var zooEmptyTable: Self { Self(rawValue: "zoo.emptyTable") { ZooGuidance.table } }
  /// The file's columns match no zoo table, or they match a table other than the requested one.
  public static var zooUnknownTable: Self {
    Self(rawValue: "zoo.unknownTable") { ZooGuidance.table }
  }
  /// The source doesn't have the requested table.
  public static var zooNoSuchTable: Self { Self(rawValue: "zoo.noSuchTable") { ZooGuidance.table } }
}
