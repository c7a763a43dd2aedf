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
  /// - Known misspellings of the feeds, such as 港漧 for 港墘, and a few short and former names.
  ///
  /// ```swift
  /// print(MetroNetwork.taipei.station(named: "臺北車站")?.id as Any)
  /// ```
  ///
  /// - Returns: The station, or `nil` if none has the name. To find parts of names, use
  ///   ``stations(matching:)``.
  public func station(named name: some StringProtocol) -> MetroStation? {
    content.names.position(of: String(name)).map { content.stations[$0] }
  }
}
