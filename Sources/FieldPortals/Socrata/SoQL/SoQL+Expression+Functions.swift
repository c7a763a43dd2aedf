public import FieldCore

// MARK: Aggregates

extension SoQL.Expression {
  /// How many rows there are, `count(*)`; it comes back as a text, such as `"314245"`.
  public static var count: Self { Self(.countRows) }

  /// How many rows have a value.
  public var count: Self { calling("count") }
  /// The sum of the values.
  public var sum: Self { calling("sum") }
  /// The mean of the values.
  public var average: Self { calling("avg") }
  /// The least value.
  public var minimum: Self { calling("min") }
  /// The greatest value.
  public var maximum: Self { calling("max") }
  /// The value in the middle.
  public var median: Self { calling("median") }
  /// The standard deviation of the values as those of the whole.
  public var standardDeviation: Self { calling("stddev_pop") }
  /// The standard deviation of the values as those of a sample.
  public var sampleStandardDeviation: Self { calling("stddev_samp") }
}

// MARK: Timestamps

extension SoQL.Expression {
  /// The beginning of the timestamp's year.
  public var truncatedToYear: Self { calling("date_trunc_y") }
  /// The beginning of the timestamp's month.
  public var truncatedToMonth: Self { calling("date_trunc_ym") }
  /// The beginning of the timestamp's day.
  public var truncatedToDay: Self { calling("date_trunc_ymd") }
  /// The number of the timestamp's year.
  public var year: Self { calling("date_extract_y") }
  /// The number of the timestamp's month, 1 to 12.
  public var month: Self { calling("date_extract_m") }
  /// The number of the timestamp's day in its month.
  public var day: Self { calling("date_extract_d") }
  /// The number of the timestamp's day in its week, 0 for Sunday.
  public var weekday: Self { calling("date_extract_dow") }
  /// The timestamp's hour.
  public var hour: Self { calling("date_extract_hh") }
  /// The timestamp's minute.
  public var minute: Self { calling("date_extract_mm") }
  /// The timestamp's second.
  public var second: Self { calling("date_extract_ss") }
  /// The number of the timestamp's week in its year.
  public var week: Self { calling("date_extract_woy") }
}

// MARK: Texts and places

extension SoQL.Expression {
  /// The text in upper case.
  public var uppercased: Self { calling("upper") }
  /// The text in lower case.
  public var lowercased: Self { calling("lower") }
  /// The text without diacritics.
  public var unaccented: Self { calling("unaccent") }
  /// The number of characters in the text.
  public var length: Self { calling("length") }

  /// How many metres there are between a point and a place.
  public func distanceInMeters(to place: Coordinate) -> Self {
    calling("distance_in_meters", .value(.point(place)))
  }
}
