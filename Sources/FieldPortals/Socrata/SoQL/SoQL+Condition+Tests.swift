public import FieldCore

// MARK: Values

extension SoQL.Expression {
  /// The condition that the value is null.
  public var isNull: SoQL.Condition { SoQL.Condition(.null(self, isNegated: false)) }

  /// The condition that the value isn't null.
  public var isNotNull: SoQL.Condition { SoQL.Condition(.null(self, isNegated: true)) }

  /// Returns the condition that the value lies between two literals, inclusive.
  public func between(_ lower: SoQL.Value, and upper: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.between(self, .value(lower), .value(upper), isNegated: false))
  }

  /// Returns the condition that the value is below the lower literal or above the upper one.
  public func notBetween(_ lower: SoQL.Value, and upper: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.between(self, .value(lower), .value(upper), isNegated: true))
  }

  /// Returns the condition that the value is one of the literals; never true if there are none.
  public func isIn(_ values: [SoQL.Value]) -> SoQL.Condition {
    guard !values.isEmpty else { return .never }
    return SoQL.Condition(.membership(self, values.map(Self.value), isNegated: false))
  }

  /// Returns the condition that the value is none of the literals; always true if there are none.
  public func isNotIn(_ values: [SoQL.Value]) -> SoQL.Condition {
    guard !values.isEmpty else { return .always }
    return SoQL.Condition(.membership(self, values.map(Self.value), isNegated: true))
  }
}

// MARK: Texts

extension SoQL.Expression {
  /// Returns the condition that the text begins with another; SODA 2.1 and 3 are case-sensitive.
  public func starts(with text: SoQL.Value) -> SoQL.Condition {
    .isTrue(calling("starts_with", .value(text)))
  }

  /// Returns the condition that the text contains another; SODA 2.1 and 3 are case-sensitive.
  public func contains(_ text: SoQL.Value) -> SoQL.Condition {
    .isTrue(calling("contains", .value(text)))
  }

  /// Returns the condition that the text matches a pattern.
  ///
  /// In the pattern, `%` matches anything and `_` matches one character. No way to escape the two
  /// is documented, so for texts that may contain them, use ``starts(with:)`` or ``contains(_:)``.
  public func like(_ pattern: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.like(self, .value(pattern), isNegated: false))
  }

  /// Returns the condition that the text doesn't match a pattern; see ``like(_:)``.
  public func notLike(_ pattern: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.like(self, .value(pattern), isNegated: true))
  }
}

// MARK: Places

extension SoQL.Expression {
  /// Returns the condition that the location lies in a circle.
  ///
  /// The server draws the circle as a polygon of 32 corners in a map projection, so the circle is
  /// some percent too small near its edge, and it is wrong across the antimeridian.
  public func isWithin(_ radius: Distance, of center: Coordinate) -> SoQL.Condition {
    let place = center.normalized
    guard radius.meters.isFinite else { return radius.meters == .infinity ? isNotNull : .never }
    return .isTrue(
      calling(
        "within_circle", .value(.init(finite: place.latitude)),
        .value(.init(finite: place.longitude)), .value(.init(finite: radius.meters))))
  }

  /// Returns the condition that the location lies in a box; a box across the antimeridian becomes
  /// two.
  public func isWithin(_ box: GeoBox) -> SoQL.Condition {
    guard box.crossesAntimeridian else {
      return isWithinBox(north: box.north, west: box.west, south: box.south, east: box.east)
    }
    return isWithinBox(north: box.north, west: box.west, south: box.south, east: 180)
      || isWithinBox(north: box.north, west: -180, south: box.south, east: box.east)
  }

  /// Returns the condition that the location lies in a polygon: ``SoQL/Value/polygon(_:)`` or WKT.
  public func isWithin(polygon: SoQL.Value) -> SoQL.Condition {
    .isTrue(calling("within_polygon", .value(polygon)))
  }

  /// `within_box` takes the northwest corner before the southeast one, latitudes first.
  package func isWithinBox(
    north: Double, west: Double, south: Double, east: Double
  ) -> SoQL.Condition {
    .isTrue(
      calling(
        "within_box", .value(.init(finite: north)), .value(.init(finite: west)),
        .value(.init(finite: south)), .value(.init(finite: east))))
  }
}
