public import FieldCore

extension FieldError.Code {
  /// The animal has no picture of that number, or none with an address that can be used.
  public static var pictureMissing: Self { Self(rawValue: "zoo.pictureMissing") }
}
