public import FieldCore

// MARK: Aggregates

extension SoQL.Expression {
  /// The number of rows, `count(*)`; the response contains it as text, such as `"314245"`.
  public static var count: Self { Self(.countRows) }

  /// The number of rows with a value.
  public var count: Self { calling("count") }
  /// The sum of the values.
  public var sum: Self { calling("sum") }
  /// The mean of the values.
  public var average: Self { calling("avg") }
  /// The minimum of the values.
  public var minimum: Self { calling("min") }
  /// The maximum of the values.
  public var maximum: Self { calling("max") }
  /// The median of the values.
  public var median: Self { calling("median") }
  /// The population standard deviation of the values.
  public var standardDeviation: Self { calling("stddev_pop") }
  /// The sample standard deviation of the values.
  public var sampleStandardDeviation: Self { calling("stddev_samp") }
}

// MARK: Timestamps

extension SoQL.Expression {
  /// The timestamp truncated to its year.
  public var truncatedToYear: Self { calling("date_trunc_y") }
  /// The timestamp truncated to its month.
  public var truncatedToMonth: Self { calling("date_trunc_ym") }
  /// The timestamp truncated to its day.
  public var truncatedToDay: Self { calling("date_trunc_ymd") }
  /// The timestamp's year.
  public var year: Self { calling("date_extract_y") }
  /// The timestamp's month, from 1 through 12.
  public var month: Self { calling("date_extract_m") }
  /// The timestamp's day of the month.
  public var day: Self { calling("date_extract_d") }
  /// The timestamp's day of the week, where 0 is Sunday.
  public var weekday: Self { calling("date_extract_dow") }
  /// The timestamp's hour.
  public var hour: Self { calling("date_extract_hh") }
  /// The timestamp's minute.
  public var minute: Self { calling("date_extract_mm") }
  /// The timestamp's second.
  public var second: Self { calling("date_extract_ss") }
  /// The timestamp's week of the year.
  public var week: Self { calling("date_extract_woy") }
}

// MARK: Texts and places

extension SoQL.Expression {
  /// The text in uppercase.
  public var uppercased: Self { calling("upper") }
  /// The text in lowercase.
  public var lowercased: Self { calling("lower") }
  /// The text without diacritics.
  public var unaccented: Self { calling("unaccent") }
  /// The number of characters in the text.
  public var length: Self { calling("length") }

  /// Returns the distance between a point and a location, in meters.
  public func distanceInMeters(to place: Coordinate) -> Self {
    calling("distance_in_meters", .value(.point(place)))
  }
}
