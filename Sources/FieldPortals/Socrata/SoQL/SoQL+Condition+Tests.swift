public import FieldCore

// MARK: Values

extension SoQL.Expression {
  /// Whether there is no value.
  public var isNull: SoQL.Condition { SoQL.Condition(.null(self, isNegated: false)) }

  /// Whether there is a value.
  public var isNotNull: SoQL.Condition { SoQL.Condition(.null(self, isNegated: true)) }

  /// Whether the value lies between two literals, themselves included.
  public func between(_ lower: SoQL.Value, and upper: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.between(self, .value(lower), .value(upper), isNegated: false))
  }

  /// Whether the value is below the lower or above the upper literal.
  public func notBetween(_ lower: SoQL.Value, and upper: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.between(self, .value(lower), .value(upper), isNegated: true))
  }

  /// Whether the value is one of the literals; never, when there are none.
  public func isIn(_ values: [SoQL.Value]) -> SoQL.Condition {
    guard !values.isEmpty else { return .never }
    return SoQL.Condition(.membership(self, values.map(Self.value), isNegated: false))
  }

  /// Whether the value is none of the literals; always, when there are none.
  public func isNotIn(_ values: [SoQL.Value]) -> SoQL.Condition {
    guard !values.isEmpty else { return .always }
    return SoQL.Condition(.membership(self, values.map(Self.value), isNegated: true))
  }
}

// MARK: Texts

extension SoQL.Expression {
  /// Whether the text begins with another; SODA 2.1 and 3 tell upper from lower case.
  public func starts(with text: SoQL.Value) -> SoQL.Condition {
    .isTrue(calling("starts_with", .value(text)))
  }

  /// Whether the text has another in it; SODA 2.1 and 3 tell upper from lower case.
  public func contains(_ text: SoQL.Value) -> SoQL.Condition {
    .isTrue(calling("contains", .value(text)))
  }

  /// Whether the text fits a pattern, in which `%` stands for anything and `_` for one character.
  ///
  /// No way to write the two themselves is documented, so ``starts(with:)`` and ``contains(_:)`` are
  /// better for texts that may have them.
  public func like(_ pattern: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.like(self, .value(pattern), isNegated: false))
  }

  /// Whether the text does not fit a pattern; see ``like(_:)``.
  public func notLike(_ pattern: SoQL.Value) -> SoQL.Condition {
    SoQL.Condition(.like(self, .value(pattern), isNegated: true))
  }
}

// MARK: Places

extension SoQL.Expression {
  /// Whether the place lies in a circle.
  ///
  /// The server draws the circle as a polygon of 32 corners in a map projection, so near its edge it is
  /// some percent smaller than it should be, and across the antimeridian it is wrong.
  public func isWithin(_ radius: Distance, of center: Coordinate) -> SoQL.Condition {
    let place = center.normalized
    guard radius.meters.isFinite else { return radius.meters > 0 ? isNotNull : .never }
    return .isTrue(
      calling(
        "within_circle", .value(.init(finite: place.latitude)),
        .value(.init(finite: place.longitude)), .value(.init(finite: radius.meters))))
  }

  /// Whether the place lies in a box; a box across the antimeridian becomes two, one of which will do.
  public func isWithin(_ box: GeoBox) -> SoQL.Condition {
    guard box.crossesAntimeridian else {
      return isWithinBox(north: box.north, west: box.west, south: box.south, east: box.east)
    }
    return isWithinBox(north: box.north, west: box.west, south: box.south, east: 180)
      || isWithinBox(north: box.north, west: -180, south: box.south, east: box.east)
  }

  /// Whether the place lies in a polygon, of ``SoQL/Value/polygon(_:)`` or in Well-Known Text.
  public func isWithin(polygon: SoQL.Value) -> SoQL.Condition {
    .isTrue(calling("within_polygon", .value(polygon)))
  }

  /// `within_box` takes the north-western corner before the south-eastern one, latitudes first.
  package func isWithinBox(
    north: Double, west: Double, south: Double, east: Double
  ) -> SoQL.Condition {
    .isTrue(
      calling(
        "within_box", .value(.init(finite: north)), .value(.init(finite: west)),
        .value(.init(finite: south)), .value(.init(finite: east))))
  }
}
