extension MetroNetwork {
  /// Returns the station with the given name, in any spelling that identifies exactly one station.
  ///
  /// These spellings are equivalent:
  /// - 臺 and 台, full width and half width, uppercase and lowercase, and any blanks and punctuation:
  ///   `臺北車站`, `ＢＬ１２`, `TaipeiMainStation`, `DAAN`.
  /// - A name with or without one final 站, 車站, or `Station`, with 捷運, `MRT`, or `Metro` before or
  ///   after it, as in `士林捷運站`, and with a line before it, as in `板南線市政府站`. A complete name is kept
  ///   as it is; otherwise, one 站 is dropped. `台北車` is therefore not a station.
  /// - The Chinese, English, Japanese, and Korean names, and the codes: `R10`, `r10`, `TRTC-BL01`,
  ///   `BL1`.
  /// - A name with its code or one of its lines before or after it, with or without parentheses:
  ///   `BL板橋`, `R10 台北車站`, `板橋(環狀線)`, `台北車站（淡水信義線）`. The line chooses the station if
  ///   names are alike: `Y新埔` is 新埔民生. A line at which no such station is has no station.
  /// - Characters that are mistaken for each other, as in `幸褔` and `新庄`.
  /// - Known misspellings of the feeds, such as 港漧 for 港墘, and a few short and former names.
  ///
  /// ```swift
  /// print(MetroNetwork.taipei.station(named: "臺北車站")?.id as Any)
  /// ```
  ///
  /// - Returns: The station, or `nil` if none has the name. To find parts of names, use
  ///   ``stations(matching:)``.
  public func station(named name: some StringProtocol) -> MetroStation? {
    content.position(named: String(name)).map { content.stations[$0] }
  }
}
