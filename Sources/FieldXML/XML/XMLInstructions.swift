/// Processing instructions, which Foundation on Linux does not survive.
enum XMLInstructions {
  /// Puts a blank into every instruction that has nothing but a name.
  ///
  /// Foundation takes the data of an instruction for a text without asking whether there is any, and ends
  /// the process at `<?p?>` (Swift 6.3.1): who sends a feed could end every app that reads it. With a
  /// blank the data is an empty text.
  static func repair(_ text: inout [UInt8]) {
    let places = nameEnds(text)
    guard !places.isEmpty else { return }
    var repaired: [UInt8] = []
    repaired.reserveCapacity(text.count + places.count)
    var start = 0
    for place in places {
      repaired += text[start..<place]
      repaired.append(0x20)
      start = place
    }
    repaired += text[start...]
    text = repaired
  }

  /// The offsets behind the names of instructions that have nothing else.
  ///
  /// Comments and CDATA are stepped over. Where a document is not well-formed this may see an instruction
  /// that is none; the parser stops before it then, and the blank does no harm.
  private static func nameEnds(_ text: [UInt8]) -> [Int] {
    var places: [Int] = []
    var at = 0
    while let next = text[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = next + 1
      if XMLProlog.hasPrefix("?", text, at) {
        at += 1
        while at < text.count, !XMLProlog.isBlank(text[at]), !XMLProlog.hasPrefix("?>", text, at) {
          at += 1
        }
        if XMLProlog.hasPrefix("?>", text, at) { places.append(at) }
      } else if XMLProlog.hasPrefix("!--", text, at) {
        at = XMLProlog.find("-->", text, from: at + 3) ?? text.count
      } else if XMLProlog.hasPrefix("![CDATA[", text, at) {
        at = XMLProlog.find("]]>", text, from: at + 8) ?? text.count
      }
    }
    return places
  }
}
