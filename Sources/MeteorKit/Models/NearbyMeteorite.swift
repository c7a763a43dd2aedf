public import FieldCore

/// A meteorite and its distance from the location of a search.
public typealias NearbyMeteorite = NearbyRecord<Meteorite>

extension NearbyMeteorite {
  /// The meteorite.
  public var meteorite: Meteorite { record }
}
