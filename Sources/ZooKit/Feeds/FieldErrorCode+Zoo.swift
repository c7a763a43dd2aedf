public import FieldCore

extension FieldError.Code {
  /// A table of the zoo has no row, or none that can be used, where it has had dozens since 2015.
  public static var zooEmptyTable: Self { Self(rawValue: "zoo.emptyTable") }
  /// The columns of a file are those of no table of the zoo, or of another one than was asked for.
  public static var zooUnknownTable: Self { Self(rawValue: "zoo.unknownTable") }
  /// The source does not have the table that was asked for.
  public static var zooNoSuchTable: Self { Self(rawValue: "zoo.noSuchTable") }
}
