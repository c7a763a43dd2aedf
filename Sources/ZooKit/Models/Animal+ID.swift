public import FieldCore

extension Animal {
  /// The identifier of an animal at its place, which lasts from one import to the next.
  ///
  /// The source has no key. Its `_id` is the row's number in the file and shifts whenever a row is added
  /// before it (笑翠鳥 was 19 in 2022 and 23 in 2026). `A_CID` and `A_Code` are blank in 182 and 20 of
  /// 313 rows, and two animals may share one. The name is always there, but since 2026 an animal
  /// that is shown in two places has two rows, equal in all but the place.
  ///
  /// So the key is the name and the first place: `雙峰駱駝@24.9950,121.5856`. It depends on nothing but
  /// the row itself, so that rows may come, go and change their order around it. The name counts as it
  /// is searched for (臺 and 台, and both widths, are one), and the place to four digits, which makes the
  /// key of a row of 2022 and of 2026 the same. Rows that agree in both get `#2`, `#3` in their order.
  ///
  /// What the key does not survive is that the zoo moves an animal or renames it; what is kept about an
  /// animal wherever it is goes by ``Species/ID``.
  public typealias ID = RecordID<Animal>
}

extension RecordID where Subject == Animal {
  /// Creates the ID of an animal from its Chinese name and its first place.
  public init(name: String, place: Coordinate? = nil) {
    self.init(rawValue: ZooKey.text(name: name, place: place))
  }
}
