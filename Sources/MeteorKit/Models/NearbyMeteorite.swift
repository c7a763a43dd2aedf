public import FieldCore

/// A meteorite and its distance from where a search began.
public typealias NearbyMeteorite = NearbyRecord<Meteorite>

extension NearbyMeteorite {
  /// The meteorite.
  public var meteorite: Meteorite { record }
}
