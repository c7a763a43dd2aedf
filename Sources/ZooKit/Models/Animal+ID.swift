public import FieldCore

extension Animal {
  /// The identifier of an animal at its place, which lasts from one import to the next.
  ///
  /// The source has no key. Its `_id` is the row's number in the file and shifts whenever a row is
  /// added before it (笑翠鳥 was 19 in 2022 and 23 in 2026). `A_CID` and `A_Code` are blank in 182 and
  /// 20 of 313 rows, and two animals may share one. The name is always present, but since 2026 an
  /// animal that is shown in two places has two rows, which differ only in the place.
  ///
  /// The ID therefore consists of the name and the first place: `雙峰駱駝@24.9950,121.5856`. It depends
  /// only on the row itself, so rows can be added, removed, and reordered around it. The name is
  /// folded as for searching (臺 and 台 are equal, and so are both widths), and the place is rounded
  /// to four decimal places, so that a row has the same ID in 2022 and 2026. Rows that agree in
  /// both get `#2`, `#3` in order.
  ///
  /// The ID changes if the zoo moves or renames an animal. To identify an animal wherever it is,
  /// use ``Species/ID``.
  public typealias ID = RecordID<Animal>
}

extension RecordID where Subject == Animal {
  /// Creates the ID of an animal from its Chinese name and its first place.
  public init(name: String, place: Coordinate? = nil) {
    self.init(rawValue: ZooKey.text(name: name, place: place))
  }
}
