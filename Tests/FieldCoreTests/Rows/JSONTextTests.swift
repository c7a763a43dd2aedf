import FieldCore
import Testing

@Suite("A text written as JSON")
struct JSONTextTests {
  @Test("a text written as JSON is read back unchanged, and grows only if a byte must be escaped")
  func everyPlace() throws {
    var wrong: [String] = []
    for byte in 0..<0x80 as Range<UInt8> {
      let isPlain = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      for place in 0..<17 {
        let ends = String(repeating: "x", count: place) + "é"
        let text = ends + String(Unicode.Scalar(byte)) + ends
        let value = JSONValue.array([.string(text)])
        let written = Array(value.canonicalText.utf8)
        if try JSONDocument.value(written) != value
          || (written.count == text.utf8.count + 4) != isPlain
        {
          wrong.append("\(byte) at \(place)")
        }
      }
    }
    #expect(wrong == [])
  }
}
