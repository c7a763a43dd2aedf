extension MetroNetwork {
  /// The station of a name, in any spelling that means one station alone.
  ///
  /// These are taken for the same:
  /// - 臺 and 台, full and half width, capital and small letters, and any blanks and punctuation:
  ///   `臺北車站`, `ＢＬ１２`, `TaipeiMainStation`, `DAAN`;
  /// - a name with and without one 站, 車站, or `Station` at its end, with 捷運, `MRT`, or `Metro` before it
  ///   or behind it, as in `士林捷運站`, and with a line before it, as in `板南線市政府站`: what is a name as it
  ///   stands is kept, else one 站 goes. `台北車` is therefore no station;
  /// - the Chinese, the English, the Japanese and the Korean name, and the codes: `R10`, `r10`,
  ///   `TRTC-BL01`, `BL1`;
  /// - what feeds are known to write for a name, such as 港漧 for 港墘, and a few short and past names.
  ///
  /// - Returns: nil when no station has the name. Parts of names are found by ``stations(matching:)``.
  public func station(named name: some StringProtocol) -> MetroStation? {
    content.names.position(of: String(name)).map { content.stations[$0] }
  }
}
