/// The meanings of the texts in the conservation column. There are about 30 in a file of hundreds
/// of rows, so each is parsed once.
struct ConservationRemarks {
  struct Remark {
    var text: String
    var status: ConservationStatus?
    var protection: ProtectionCategory?
    var endemism: Endemism?
  }

  private var known: [String: Remark] = [:]

  /// Returns the meaning of a text, which is parsed on first use.
  mutating func reading(_ text: String) -> Remark {
    if let remark = known[text] { return remark }
    let remark = Remark(
      text: text, status: ConservationStatus(reading: text),
      protection: ProtectionCategory(reading: text), endemism: Endemism(reading: text))
    known[text] = remark
    return remark
  }
}
