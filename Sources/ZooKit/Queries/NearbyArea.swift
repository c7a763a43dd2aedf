public import FieldCore

/// An area of the zoo and its distance from the location of a search.
public typealias NearbyArea = NearbyRecord<ZooArea>

extension NearbyArea {
  /// The area.
  public var area: ZooArea { record }
}
