/// What the texts in the column of conservation say. There are about thirty in a file of hundreds of
/// rows, so each is read once.
struct ConservationRemarks {
  /// A text, and what it says.
  struct Remark {
    var text: String
    var status: ConservationStatus?
    var protection: ProtectionCategory?
    var endemism: Endemism?
  }

  private var known: [String: Remark] = [:]

  /// Reads a text, unless it has been read.
  mutating func reading(_ text: String) -> Remark {
    if let remark = known[text] { return remark }
    let remark = Remark(
      text: text, status: ConservationStatus(reading: text),
      protection: ProtectionCategory(reading: text), endemism: Endemism(reading: text))
    known[text] = remark
    return remark
  }
}
