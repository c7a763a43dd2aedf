public import FieldCore

extension FieldError.Code {
  /// The animal has no picture with that number, or none with a usable URL.
  public static var pictureMissing: Self {
    Self(rawValue: "zoo.pictureMissing") { ZooGuidance.table }
  }
}
